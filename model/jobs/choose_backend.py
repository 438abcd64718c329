"""Choose the backend of runs: the pool on this machine, or a Ray cluster."""

import os
from typing import Any

from model.jobs.types import Backend, Kind


def backend(kind: Kind, place: str = "", **options: Any) -> Backend:
    """The pool on this machine, or the Ray cluster that `RAY_ADDRESS` names; options as for `Jobs`.

    `place` names this server among those of this machine. A server restarted under the same name takes over its runs.
    """
    if not os.environ.get("RAY_ADDRESS"):
        from model.jobs import siblings, store
        from model.jobs.pool import Jobs

        folder = store.place(place) if place else None
        return Jobs(kind, folder=folder, beside=siblings.folders(place) if folder else (), **options)
    from model.jobs.ray import RayJobs

    return RayJobs(kind=kind, **options)
