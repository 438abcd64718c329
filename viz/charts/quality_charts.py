"""Outputs of many sentences by their probability, as an altair chart. Plain numbers in."""

from collections.abc import Mapping, Sequence

from ..figures.chart import Chart
from ..vega import with_percents
from .marks import chart, dots, marks
from .style import PERCENT, SERIES, SHAPES, Words, legend, series, tip, x_axis, y_axis

HEIGHT = 330  # px, axes and legend included


def lines_chart(points: Sequence[Mapping[str, object]], y: str, words: Words) -> Chart:
    """Outputs over their probability (0 to 1): `source`, `output`, `probability`, `y`, `mark` of each.

    `y` is the title of the other axis. `words`: source, output, probability, which, marked, unmarked, description.
    """
    names = [words["unmarked"], words["marked"]]
    rows = [{**point, "which": names[bool(point["mark"])], "mark": bool(point["mark"])} for point in points]
    base = marks(
        with_percents(rows, "probability"),
        x=x_axis("probability:Q", words["probability"], scale={"domain": [0, 1]}, grid=False, **PERCENT),
        y=y_axis("y:Q", y, tickCount=6),
        tooltip=[
            tip("source:N", words["source"]),
            tip("output:N", words["output"]),
            tip("probability_said:N", words["probability"]),
            tip("y:Q", y, ".2f"),
            tip("which:N", words["which"]),
        ],
        **series("which:N", names, legend(symbolType="circle"), color=SERIES, shape=SHAPES),
    )
    return chart(dots(base, 70), description=words["description"], height=HEIGHT, rows=rows)
