"""The server may hold as many connections as the system allows."""

import resource

import pytest

from pages.shared.server.limits import open_files


@pytest.mark.parametrize(
    ("limits", "expected"),
    [((1024, 4096), (4096, 4096)), ((1024, 10**6), (open_files.MOST, 10**6)), ((1024, resource.RLIM_INFINITY),
     (open_files.MOST, resource.RLIM_INFINITY)), ((4096, 4096), None), ((10**6, 10**6), None),
     ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), None)],
)  # fmt: skip
def test_the_limit_is_raised_and_never_lowered(
    limits: tuple[int, int], expected: tuple[int, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda kind: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda kind, new: calls.append(new))
    open_files.allow_more()
    assert calls == ([expected] if expected else [])
