"""How long runs are kept that nobody looks at."""

UNWATCHED = 300.0  # seconds without a request for its progress, after which a running run is stopped
ABANDONED = 1800.0  # the same for a waiting run, longer because its user may read other pages meanwhile
FORGOTTEN = 6 * 3600.0  # the same for a finished or paused run, which is removed
