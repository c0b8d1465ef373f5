"""Agents at work in a campaign: the Python call and the MCP server, under people's limits."""

from pagetrail.app.agents.attempt import AgentAttempt
from pagetrail.app.agents.desk import AgentDesk, AgentTask
from pagetrail.app.agents.replies import AttemptState, Hit, PageRead, SearchReply
from pagetrail.app.agents.submission import Problem, SubmissionRefused

__all__ = [
    "AgentAttempt",
    "AgentDesk",
    "AgentTask",
    "AttemptState",
    "Hit",
    "PageRead",
    "Problem",
    "SearchReply",
    "SubmissionRefused",
]
