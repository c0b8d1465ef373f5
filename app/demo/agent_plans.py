"""The queries and mistakes of the demo's two agents, per question."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import NamedTuple

from pagetrail.app.demo.corpus import FILES


class Plan(NamedTuple):
    """One agent's plan for one question.

    Attributes:
        queries: in the order they are run.
        answer: the submitted answer if it is not the gold; empty gives up.
        astray: it cites the first page that is not evidence.
        denies: without an answer it submits “unanswerable”, not “not found”.
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
