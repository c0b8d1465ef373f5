"""Values of the status columns that several queries use."""

from pagetrail.annotation.messages import N_

WITHDRAWN = "taken_back"
"""Status of an assignment that was withdrawn after work on it had started: the work stays, the slot
is free, and the same person can be assigned the batch again."""

OPEN = N_("open")
"""Status of a campaign and of an assignment that people work on."""

CLOSED = N_("closed")
"""Status of a campaign that assigns no new batches; hidden gold may come from it."""

ARCHIVED = N_("archived")
"""Status of a campaign that is hidden and read-only."""

SUBMITTED_OR_SKIPPED = (N_("submitted"), N_("skipped"))
"""Statuses of an attempt whose annotator has finished it; also the types of the events."""

RUNNING = ("running", "paused")
"""States of a job that has not ended."""
