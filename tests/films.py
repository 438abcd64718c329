"""Films as a user saves them: their frames, and how far the text in them is written."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, ImageSequence
from playwright.sync_api import Locator, Page, expect

from tests.browser import PATIENCE

FIRST, LAST, MOST = 800, 1600, 10_000  # ms: how long the finished picture stands at both ends, and a film at most
LARGEST = 3_000_000  # bytes
_CLICK_TWICE = "button => { button.click(); button.click(); }"
_WIDTHS = """texts => {
    const pen = document.createElement("canvas").getContext("2d");
    pen.font = "600 100px 'Source Sans'";
    return texts.map(text => pen.measureText(text).width);
}"""


@dataclass(frozen=True, eq=False)
class Film:
    """Frames (height, width, 3), how long each stands in ms, and the size of the file in bytes."""

    frames: list[np.ndarray]
    durations: list[int]
    size: int

    def line(self, number: int) -> slice:
        """Rows of one of the lines that change from the second frame to the last, from the top or from the end."""
        changed = (self.frames[1] != self.frames[-1]).any(axis=(1, 2))
        starts, ends = np.flatnonzero(np.diff(changed, prepend=False, append=False)).reshape(-1, 2).T
        return slice(int(starts[number]), int(ends[number]))

    def widths(self, line: slice) -> list[int]:
        """How many px of the line have text, from frame to frame; an empty line has none."""
        widths = []
        for frame in self.frames:
            columns = np.flatnonzero((frame[line] != frame[0, 0]).any(axis=(0, 2)))
            widths.append(int(columns.max() - columns.min() + 1) if columns.size else 0)
        return widths


def save(page: Page, button: Locator, name: str) -> Film:
    """Stop a film at its beginning, then make it to its end; only the second one arrives."""
    label = button.inner_text()
    arrived: list[object] = []
    page.on("download", lambda file: arrived.append(file))
    button.evaluate(_CLICK_TWICE)
    expect(button).to_have_text(label)
    with page.expect_download(timeout=4 * PATIENCE) as arriving:
        button.click()
    assert arriving.value.suggested_filename == name
    content = Path(arriving.value.path()).read_bytes()
    assert len(arrived) == 1
    image = Image.open(io.BytesIO(content))
    frames = [(np.asarray(each.convert("RGB")), int(each.info["duration"])) for each in ImageSequence.Iterator(image)]
    return Film([frame for frame, _ in frames], [duration for _, duration in frames], len(content))


def plays(page: Page, film: Film, line: slice, texts: Sequence[str]) -> None:
    """A film that loops, within its limits, in which these texts stand in the line one after the other."""
    assert film.size < LARGEST
    assert film.durations[0] == FIRST
    assert film.durations[-1] == LAST
    assert (film.frames[0] == film.frames[-1]).all(), "it begins with the finished picture"
    assert all((one != other).any() for one, other in zip(film.frames, film.frames[1:], strict=False))
    widths = film.widths(line)
    expected = page.evaluate(_WIDTHS, texts)
    grows = [text != before for text, before in zip(texts, ["", *texts], strict=False)]
    scale = widths[-1] / expected[-1]
    seen = [width for width, before in zip(widths[1:], widths, strict=False) if width and width != before]
    steps = [scale * width for width, is_new in zip(expected, grows, strict=True) if is_new]
    assert np.allclose(seen, steps, atol=3), (seen, steps)
