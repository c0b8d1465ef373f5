"""Words of the status columns that more than one query reads."""

TAKEN_BACK = "taken_back"
"""Status of an assignment that was taken back after work on it had begun: the work stays, the place
is free, and the same person can be given it again."""

ARCHIVED = "archived"
"""Status of a campaign that is out of sight and can only be read; "closed" gives no new batches."""

SUBMITTED_OR_SKIPPED = ("submitted", "skipped")
"""Statuses of a response that its person is done with."""
