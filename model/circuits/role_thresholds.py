"""The names of the roles that a head can have, and from which score on one is stated. Needs no torch."""

ROLES = ("previous", "first", "same", "induction", "alignment", "position", "separator")
# the least score, whose 95 % interval has to lie above it; a role other than `position` is stated only if even weights
# would give half of it at most
LEAST = {
    "previous": 0.4,
    "first": 0.5,
    "same": 0.4,
    "induction": 0.4,
    "alignment": 0.5,
    "position": 0.8,
    "separator": 0.5,
}
MARGIN = 0.15  # of `position`, by which the mean has to lie above that of even weights
