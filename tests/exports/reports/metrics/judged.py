"""Campaigns of judges over the answers of another campaign."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import insert

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import iso
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import attempt
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Attempt, Batch, Campaign, Task
from tests.exports.reports.metrics.answered import B1, P1, Scene, Try, make_scene, task
from tests.support.factory import START, AttemptDriver
from tests.support.table_rows import inserter

JUDGED_CAMPAIGN = "Judged"


def judging(scene: Scene, verdicts: Sequence[tuple[str, str, str, str, str]]) -> None:
    """A campaign of judges: (task, system, answer, judge, verdict), all submitted."""
    keys = list(dict.fromkeys((question, system) for question, system, *_ in verdicts))
    answers = {(question, system): answer for question, system, answer, *_ in verdicts}
    now = iso(START)
    with write_transaction(scene.stage.workspace.engine) as connection:
        insert_row = inserter(connection)
        campaign = insert_row(
            Campaign,
            name=JUDGED_CAMPAIGN,
            protocol=preset("judge").model_dump(mode="json"),
            guidelines="",
            seed=1,
            created_at=now,
        )
        batch = insert_row(Batch, campaign_id=campaign, position=1, code_name="Orion")
        for n, (question, system) in enumerate(keys):
            prediction = {"system": system, "answer": answers[question, system]}
            record = task(f"{question}#{n}", P1, prediction=prediction)
            number = insert_row(
                Task,
                campaign_id=campaign,
                batch_id=batch,
                key=record["id"],
                position=n,
                record=record,
            )
            for user, judge in enumerate(("Ada", "Bo"), start=1):
                connection.execute(
                    insert(Attempt).values(
                        id=f"judged-{n}-{judge}",
                        task_id=number,
                        user_id=user,
                        assignment_id=None,
                        setting="judge",
                        created_at=now,
                    )
                )
    for question, system, _, judge, verdict in verdicts:
        engine = scene.stage.workspace.engine
        row = attempt(engine, f"judged-{keys.index((question, system))}-{judge}")
        driver = AttemptDriver(SqlEventLog(engine), row.context(), scene.clock)
        driver.do(ev.Opened(session="tab-1"))
        driver.do(ev.FieldSet(field="verdict", value=verdict))
        if verdict != "correct":
            driver.do(ev.FieldSet(field="issue", value="refusal"))
        assert not driver.do(ev.Submitted(outcome="completed")).refusals


def judged_scene(root: Path) -> Scene:
    """Ada and a system at three tasks, all answered "42" but for Ada's last, judged in part."""
    scene = make_scene(root, [task(f"q{n}", P1) for n in (1, 2, 3)], ("Ada", "Bo"))
    scene.person("Ada", {"q1": Try(), "q2": Try(), "q3": Try("41")})
    scene.system("gpt", {"q1": Try(), "q2": Try("42 otters"), "q3": Try(cites=[B1])})
    judging(
        scene,
        [
            ("q1", "gpt", "42", "Ada", "incorrect"),
            ("q1", "gpt", "42", "Bo", "correct"),
            ("q2", "gpt", "otters, 42", "Ada", "partial"),
            ("q3", "gpt", "43", "Ada", "correct"),
            ("q1", "annotator-1", "42", "Ada", "incorrect"),
            ("q2", "human:annotator-1", "42", "Ada", "partial"),
            ("q9", "gpt", "42", "Ada", "correct"),
            ("q1", "claude", "42", "Ada", "correct"),
        ],
    )
    return scene
