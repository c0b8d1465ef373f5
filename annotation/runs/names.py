"""Names of runs: a system with several runs has each under ``SYSTEM#RUN``."""

from __future__ import annotations

SIGN = "#"


def run_name(system: str, run: str | None) -> str:
    """What a run is stored under."""
    return system if run is None else f"{system}{SIGN}{run}"


def system_of(name: str) -> str:
    """The system of a run.

    >>> system_of("agent#2"), system_of("agent")
    ('agent', 'agent')
    """
    return name.partition(SIGN)[0] or name
