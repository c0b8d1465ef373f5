"""Values of the status columns that several queries use."""

TAKEN_BACK = "taken_back"
"""Status of an assignment that was withdrawn after work on it had started: the work stays, the slot
is free, and the same person can be assigned the batch again."""

CLOSED = "closed"
"""Status of a campaign that assigns no new batches; hidden gold may come from it."""

ARCHIVED = "archived"
"""Status of a campaign that is hidden and read-only."""

SUBMITTED_OR_SKIPPED = ("submitted", "skipped")
"""Statuses of an attempt whose annotator has finished it; also the types of the events."""

RUNNING = ("running", "paused")
"""States of a job that has not ended."""
