"""Agents working in a campaign, through Python or the MCP server, with the limits people have."""

from pagetrail.app.agents.attempt import AgentAttempt
from pagetrail.app.agents.desk import AgentDesk, AgentTask
from pagetrail.app.agents.replies import Hit, PageRead, SearchReply, StateReply
from pagetrail.app.agents.submission import Problem, SubmissionRefused

__all__ = [
    "AgentAttempt",
    "AgentDesk",
    "AgentTask",
    "Hit",
    "PageRead",
    "Problem",
    "SearchReply",
    "StateReply",
    "SubmissionRefused",
]
