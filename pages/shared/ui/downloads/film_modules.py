"""Modules that make films in the browser, and where it finds them."""

import hashlib
from functools import cache

from pages.shared.session.base_path import base
from viz.components import film

PATH = "/film"


def address(name: str) -> str:
    """The address of a module of `viz.components.film`; it changes with what the module says."""
    return f"{base()}{PATH}/{name}.js?version={_version(name)}"


@cache
def text(name: str) -> str:
    return film.module(name)


@cache
def _version(name: str) -> str:
    return hashlib.blake2b(text(name).encode(), digest_size=6).hexdigest()
