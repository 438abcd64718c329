# Cells of the notebook that repeats the analysis; `export.notebook` reads this file, and nothing imports it.
# %% data
import numpy as np
import pandas as pd

rows = pd.read_csv("answers.csv")
finished = rows.groupby("participant")["question"].transform("count") == 12  # six questions before, six after
rows = rows[finished]
points = rows.pivot_table(index="participant", columns="phase", values="right", aggfunc="sum")
first = rows[rows["phase"] == "before"].groupby("participant")
points["order"] = first["form"].first().map({"A": 1.0, "B": -1.0})
points["group"] = first["group"].first()
print(f"{len(points)} participants with both tests")


# %% gain
def t_quantile(freedom):
    """Student's t, 95 %: its density by t = sqrt(freedom) * tan(angle)."""
    angles = np.linspace(0, np.pi / 2, 200_001)
    density = np.cos(angles).clip(0) ** (freedom - 1)
    area = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1])])
    return np.sqrt(freedom) * np.tan(np.interp(0.95, area / area[-1], angles))


def fit(outcome, *columns):
    """Least squares with ones before the columns: each coefficient with its 95 % interval."""
    matrix = np.column_stack([np.ones(len(outcome)), *(each for each in columns if np.std(each) > 0)])
    weights, *_ = np.linalg.lstsq(matrix, outcome, rcond=None)
    freedom = len(outcome) - matrix.shape[1]
    variance = np.sum((outcome - matrix @ weights) ** 2) / freedom
    errors = np.sqrt(variance * np.diag(np.linalg.inv(matrix.T @ matrix)))
    reach = t_quantile(freedom) * errors
    return np.column_stack([weights, weights - reach, weights + reach])


def gain_of(people):
    """Mean gain in points, low, high."""
    return fit((people["after"] - people["before"]).to_numpy(), people["order"].to_numpy())[0]


gain = gain_of(points)
print("gain in points: {:+.2f}, 95 % interval {:+.2f} to {:+.2f}".format(*gain))

# %% normalised
left = (6 - points["before"]).to_numpy()
mean_left = fit(left, points["order"].to_numpy())[0, 0]
normalised = None
if mean_left >= 1 and gain[0] > 0:
    ratio = gain[0] / mean_left
    rest = (points["after"] - points["before"]).to_numpy() - ratio * left
    normalised = ratio + fit(rest, points["order"].to_numpy())[0] / mean_left
    print("normalised gain: {:.2f}, 95 % interval {:.2f} to {:.2f}".format(*normalised))


# %% questions
def wilson(hits, count):
    """Interval of a share."""
    z = 1.959963984540054
    middle, scale = hits / count + z**2 / (2 * count), 1 + z**2 / count
    half = z * np.sqrt(hits / count * (1 - hits / count) / count + z**2 / (4 * count**2))
    return (middle - half) / scale, (middle + half) / scale


def shares_of(names):
    """Share of right answers before and after, with its interval, for each name."""
    shares = rows.groupby([names, "phase"])["right"].agg(["sum", "count"])
    shares["share"] = shares["sum"] / shares["count"]
    shares["low"], shares["high"] = wilson(shares["sum"], shares["count"])
    return shares


topics = shares_of(rows["question"].str.rsplit("_", n=1).str[0].rename("topic"))
shares = shares_of("question")
shares["unknown"] = rows.assign(unknown=rows["choice"] == -1).groupby(["question", "phase"])["unknown"].mean()
rest = rows.groupby(["participant", "phase"])["right"].transform("sum") - rows["right"]
centred = pd.DataFrame({"question": rows["question"], "right": rows["right"], "rest": rest})
keys = [rows["question"], rows["phase"]]
centred[["right", "rest"]] -= centred.groupby(keys)[["right", "rest"]].transform("mean")
discrimination = {name: each["right"].corr(each["rest"]) for name, each in centred.groupby("question")}
print(topics.round(2).to_string())
print(shares.round(2).to_string())
print(pd.Series(discrimination, name="discrimination").round(2).to_string())

# %% groups
groups = {name: gain_of(people) for name, people in points.groupby("group") if name != "all" and len(people) >= 8}
for name, (mean, low, high) in groups.items():
    print(f"gain of {name}: {mean:+.2f}, 95 % interval {low:+.2f} to {high:+.2f}")
difference = None
if len(groups) == 2:
    touch = (points["group"] == "touch").to_numpy(dtype=float)
    difference = fit(
        points["after"].to_numpy(), touch, points["before"].to_numpy(dtype=float), points["order"].to_numpy()
    )[1]
    print("touch - picture: {:+.2f}, 95 % interval {:+.2f} to {:+.2f}".format(*difference))
