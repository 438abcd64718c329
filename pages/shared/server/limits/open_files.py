"""Open files that this process may have: each connection is one, and clients that only connect must not use them up."""

import resource

MOST = 65_536


def allow_more() -> None:
    """Allow as many as the system lets us, up to `MOST`; often 1,024 are allowed at first."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST if hard == resource.RLIM_INFINITY else min(hard, MOST)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
