"""Agents working in a campaign, through Python or the MCP server, with the limits people have."""

from pagetrail.app.agents.attempt import AgentAttempt
from pagetrail.app.agents.client import AgentClient, AgentTask
from pagetrail.app.agents.replies import Hit, PageRead, SearchReply, StateReply
from pagetrail.app.agents.submission import Problem, SubmissionRefused

__all__ = [
    "AgentAttempt",
    "AgentClient",
    "AgentTask",
    "Hit",
    "PageRead",
    "Problem",
    "SearchReply",
    "StateReply",
    "SubmissionRefused",
]
