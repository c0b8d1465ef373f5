"""What the demo's two agents search for, and where they go wrong, question by question."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import NamedTuple

from pagetrail.app.demo.corpus import FILES


class Plan(NamedTuple):
    """One agent at one question.

    Attributes:
        queries: in the order in which they are run.
        answer: what it submits where that is not the gold; empty gives up.
        astray: it cites the first page that is no evidence.
        denies: without an answer it says that there is none, not that it found none.
    """

    queries: list[str]
    answer: list[str] | None = None
    astray: bool = False
    denies: bool = False


@cache
def agent_plans() -> dict[str, dict[str, Plan]]:
    """Agent → question → plan, from ``files/runs.toml``."""
    agents = tomllib.loads((FILES / "runs.toml").read_text(encoding="utf-8"))
    return {
        agent: {question: Plan(**plan) for question, plan in plans.items()}
        for agent, plans in agents.items()
    }
