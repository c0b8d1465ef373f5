"""Checks of suspect gold in the demo: one task is dropped, one corrected, others confirmed."""

from __future__ import annotations

from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.review.gold_correction import GoldCorrection
from pagetrail.app.services.composition import Services
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.suspects.reading import TaskEvidence, read_suspect_gold
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.review.gold_checks import GoldChecks, task_id_of

N_CHECKED = 6
"""Suspect tasks that are checked; the others stay in the queue."""


def check_some_gold(
    services: Services, clock: ManualClock, supervisor: Person, campaign: str
) -> None:
    """Check the first suspects and the whole control sample."""
    with open_source(services.workspace, campaign) as source:
        gold = read_suspect_gold(source)
    # Tasks that two people submitted stay for review.
    unreviewed = [task for task in gold.sample.queue if _people(gold.tasks[task]) < 2]
    suspects = [task for task in unreviewed if task in gold.sample.suspects][:N_CHECKED]
    corrected = next(task for task in suspects if _missing_answer(gold.tasks[task]))
    dropped = next(task for task in reversed(suspects) if task != corrected)
    checks = GoldChecks(services.reviews.streams)
    for task in [*suspects, *sorted(gold.sample.controls)]:
        clock.advance(seconds=90)
        task_id = task_id_of(services.workspace.engine, campaign, task)
        stream = services.reviews.streams.task_work(task_id).gold
        last_seq = stream.state.last_seq if stream else 0
        event = f"demo-gold-{task}"
        if task == dropped:
            reason = "The question can be read in two ways."
            checks.drop(task_id, supervisor.name, reason, last_seq, event)
        elif task == corrected:
            answers = [*_accepted(gold.tasks[task]), _missing_answer(gold.tasks[task])]
            correction = GoldCorrection(answers=answers)
            checks.correct(task_id, supervisor.name, correction, "Also accepted.", last_seq, event)
        else:
            checks.confirm(task_id, supervisor.name, last_seq, event)


def _people(task: TaskEvidence) -> int:
    return sum(participant.person for participant in task.participants)


def _accepted(task: TaskEvidence) -> list[list[str]]:
    return list(task.record.get("answer_variants") or [])


def _missing_answer(task: TaskEvidence) -> list[str]:
    """What somebody answered in place of an accepted answer; empty without one."""
    accepted = _accepted(task)
    answers = [list(participant.work.answer) for participant in task.participants]
    return next((answer for answer in answers if accepted and answer not in [[], *accepted]), [])
