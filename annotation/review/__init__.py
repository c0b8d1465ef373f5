"""Where people differ on a task, what is accepted without a look, and how gold is put together."""

from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.comparison.differences import PartDifference, TaskDifference, compare
from pagetrail.annotation.review.merging import merge, proposal
from pagetrail.annotation.review.selections import Pick
from pagetrail.annotation.review.status import Status, sampled_for_check, status_of

__all__ = [
    "PartDifference",
    "Pick",
    "Status",
    "Submission",
    "TaskDifference",
    "compare",
    "merge",
    "proposal",
    "sampled_for_check",
    "status_of",
]
