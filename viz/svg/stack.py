"""Several standalone pictures as one."""

import re
from collections.abc import Sequence

GAP = 12  # px between two pictures


def stacked(pictures: Sequence[str]) -> str:
    """SVG texts under each other, each with its own size, in one SVG."""
    sizes = [_size(picture) for picture in pictures]
    tops = [sum(height + GAP for _, height in sizes[:number]) for number in range(len(sizes))]
    width, height = max(width for width, _ in sizes), tops[-1] + sizes[-1][1]
    inner = [picture.replace("<svg ", f'<svg y="{top}" ', 1) for picture, top in zip(pictures, tops, strict=True)]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">', *inner, "</svg>"])


def _size(picture: str) -> tuple[int, int]:
    size = re.search(r'<svg [^>]*?width="(\d+)" height="(\d+)"', picture)
    assert size, "a picture says its size in whole pixels"
    return int(size[1]), int(size[2])
