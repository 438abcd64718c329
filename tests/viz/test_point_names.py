"""Names of points on a map: over no other named point, name or arrow."""

from viz.charts.embedding.point_names import Point, sides

SCALE = (100.0, 100.0)  # px per unit


def point(token: str, x: float, y: float) -> Point:
    return Point(token, ord(token[0]), x, y, "own")


def of(points: list[Point], arrows: list[tuple[Point, Point]], *, all_named: bool = False) -> dict[str, str]:
    return {p.token: side for p, side in sides(points, arrows, SCALE, all_named=all_named)}


def test_a_name_stands_beside_its_point_where_nothing_is() -> None:
    assert of([point("a", 0, 0), point("b", 5, 0)], []) == {"a": "right", "b": "right"}


def test_a_name_gives_way_to_a_point_an_arrow_and_a_name() -> None:
    a, b, far = point("a" * 8, 0, 0), point("b", 0.2, 0), point("c", 3, 0)
    assert of([a, b], [])[a.token] == "left"
    assert of([a, far], [(a, far)])[a.token] == "left"
    assert of([a, point("d" * 8, 0, 0.1)], []) == {a.token: "right", "d" * 8: "left"}


def test_a_point_without_a_free_side_is_named_only_if_all_are() -> None:
    middle, around = (
        point("m", 0, 0),
        [point("n", x, y) for x, y in ((0.1, 0), (-0.1, 0), (0, 0.13), (0, -0.13), (0.1, 0.13), (0.1, -0.13))],
    )
    assert "m" not in of([middle, *around], [])
    assert of([middle, *around], [], all_named=True)["m"] == "right"
