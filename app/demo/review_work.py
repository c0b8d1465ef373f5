"""Review in the demo: agreed tasks are accepted, a model drafts the gold of the others, one task is
decided, one is returned."""

from __future__ import annotations

from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.events.returning import Difference
from pagetrail.annotation.review import Pick
from pagetrail.app.demo.drafts import import_merged_answers
from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.lookup import get_campaign, list_campaigns
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.review.actions import ReviewedVersion
from pagetrail.storage.review.filters import Filters
from pagetrail.storage.review.queue import queue


def review_some(services: Services, clock: ManualClock, reviewer: Person, campaign: str) -> None:
    """Accept what meets the rule in all campaigns; in one, decide a task and return one."""
    reviews = services.reviews
    engine = services.workspace.engine
    names = [row.name for row in list_campaigns(services.workspace)]
    with engine.connect() as connection:
        ids = {name: get_campaign(connection, name).id for name in names}
    for campaign_id in ids.values():
        reviews.acceptance.settle(campaign_id)
    conflicts = queue(engine, [ids[campaign]], Filters(statuses=("conflict",)), clock.now())
    import_merged_answers(services, campaign, [row.task_id for row in conflicts.rows])
    # The tasks that differ most stay open for review.
    *task_ids, flagged = [row.task_id for row in conflicts.rows]
    reviewed_task = reviews.streams.task_work(flagged)
    clock.advance(seconds=600)
    reviews.take(flagged, reviewer.name, "demo-take")
    clock.advance(seconds=95)
    gold = reviews.streams.task_work(flagged).gold
    nearest = max(
        reviewed_task.submissions(), key=lambda candidate: len(candidate.form.state.citations)
    )
    reviews.decide(
        flagged,
        reviewer.name,
        {
            "answer": Pick("side", nearest.attempt),
            "evidence": Pick("union"),
            "boxes": Pick("side", nearest.attempt),
        },
        "Both people give the same; the rounding on the other page is the report's own.",
        ReviewedVersion(reviewed_task.sources(), gold.state.last_seq if gold else 0),
        "demo-decided",
    )
    for task in reversed(task_ids):
        attempts = reviews.streams.task_work(task).attempts
        unsure = [attempt for attempt in attempts if attempt.name == "bruno" and attempt.is_done]
        if unsure:
            clock.advance(seconds=60)
            cited = "; ".join(
                f"{citation.document} p. {citation.page}"
                for citation in services.log.state(unsure[0].attempt).citations
            )
            reviews.send_back(
                unsure[0].attempt,
                reviewer.name,
                "Which of the two pages did you go by? Please cite both if both are needed.",
                (Difference(part="evidence", label="Evidence pages", yours=cited),),
                "demo-returned",
            )
            break
    for campaign_id in ids.values():
        reviews.acceptance.settle(campaign_id)
