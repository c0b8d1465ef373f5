"""Where people differ on a task, what is accepted without a look, and how gold is put together."""

from annotation.review.comparing import PartDifference, Side, TaskDifference, compare
from annotation.review.merging import merge, proposal
from annotation.review.picks import Pick
from annotation.review.standing import Status, drawn_for_check, status_of

__all__ = [
    "PartDifference",
    "Pick",
    "Side",
    "Status",
    "TaskDifference",
    "compare",
    "drawn_for_check",
    "merge",
    "proposal",
    "status_of",
]
