"""Runs the code of a module of `model/` or `corpora/` when one of its names is first used, not where a page imports it.

Many of these modules import torch, which takes seconds, and the first page is drawn without it. A page therefore
imports the module (`from model.edit import edit_effects`) and not a name in it (`strength` from
`model.edit.edit_effects`), which would use the module at once. `importlib.util.LazyLoader` is not safe with threads
before Python 3.12.
"""

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from threading import RLock
from types import ModuleType


class _Waiting(ModuleType):
    """A module whose code has not run yet, or is running: other threads wait until all its names are there."""

    def __getattribute__(self, name: str) -> object:
        if not name.startswith("_"):  # the import system asks for `__spec__` and `__path__`
            spec = self.__spec__
            assert spec
            assert isinstance(spec.loader, _Later)
            spec.loader.run(self)
        return ModuleType.__getattribute__(self, name)  # the class may have changed


class _Later(Loader):
    """Makes the module and keeps its code for later."""

    def __init__(self, loader: Loader) -> None:
        self._loader, self._lock, self._began = loader, RLock(), False

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _Waiting(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: `run` executes the code when a name of the module is first used."""

    def run(self, module: ModuleType) -> None:
        """Run the code, in one thread."""
        with self._lock:
            if self._began:  # by this thread, in the code itself, or by another one that has ended
                return
            self._began = True
            try:
                self._loader.exec_module(module)
            except BaseException:
                self._began = False
                raise
            module.__class__ = ModuleType


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not name.startswith(("model.", "corpora.")) or "torch" in sys.modules:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and spec.loader and not spec.submodule_search_locations:
            spec.loader = _Later(spec.loader)
        return spec


def install() -> None:
    """For everything that is imported from now on."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
