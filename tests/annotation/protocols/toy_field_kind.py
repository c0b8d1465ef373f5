"""Works with a field of the kind that ``test_recipe.py`` adds, in the process that has it."""

from __future__ import annotations

from pathlib import Path

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.comparison.measures import value_distance
from pagetrail.annotation.protocols.protocol import Protocol, parse
from pagetrail.annotation.ratings.schemes import readers
from pagetrail.annotation.replay.builder import script
from pagetrail.exports.run import export
from pagetrail.storage.attempts.event_log import SqlEventLog
from scripts.javascript_types import declarations
from scripts.protocol_reference import PAGE, with_reference
from tests.exports.conftest import rows
from tests.exports.reports.agreement.people import People, table
from tests.support.factory import AttemptDriver, make_workspace
from tests.support.random_work import ALL_KINDS

PROTOCOL = """
name = "clarity"
title = "Clarity of questions"
[answer]
kind = "off"
[evidence]
enabled = false
[[fields]]
name = "clarity"
label = "Clarity"
kind = "stars"
required = true
[[fields]]
name = "spent"
label = "Spent"
kind = "minutes"
"""


def main(folder: Path) -> None:
    """Declare, validate, record, replay, rate, compare, export and document it."""
    protocol = parse(PROTOCOL, source="clarity.toml")
    workspace = make_workspace(folder / "ws", protocol=protocol)
    context = AttemptContext("1-Ada", "Ada", protocol)
    driver = AttemptDriver(SqlEventLog(workspace.engine), context)
    driver.do(ev.Opened(session="t"))
    (refused,) = driver.do(ev.FieldSet(field="clarity", value=6)).refusals.values()
    assert str(refused) == "Clarity: 6 is not one to five stars."
    driver.do(ev.FieldSet(field="clarity", value=3))
    driver.do(ev.Submitted(outcome="completed"))
    assert script(driver.events).fields[0].value == "3"

    rated, timed = readers(protocol)
    ((scheme,), (times,)) = rated.schemes, timed.schemes
    assert (scheme.kind, scheme.level, scheme.categories) == ("stars", "ordinal", (1, 2, 3, 4, 5))
    spec = protocol.fields[0]
    assert value_distance(spec, 3, 5) == 0.5

    assert times.is_numeric
    report_on(protocol)
    assert {"stars", "minutes"} <= {spec.kind for spec in ALL_KINDS.fields}

    export(workspace, "Otters", "labels", folder / "out")
    (row,) = rows(folder / "out" / "labels.jsonl")
    assert (row["field"], row["kind"], row["values"]) == ("clarity", "stars", ["3"])
    assert '`"stars"`' in with_reference(PAGE.read_text(encoding="utf-8"))
    assert 'kind: "stars" | "minutes" | "choice"' in declarations()


def report_on(protocol: Protocol) -> None:
    """The agreement report has both: stars as the main question, minutes as numbers."""
    people = People(protocol)
    for task, minutes in (("q1", 2), ("q2", 3)):
        people.task(task)
        for person, stars in (("ada", 4), ("bob", 5)):
            answers = {"clarity": stars, "spent": minutes}
            people.did(task, person, *(ev.FieldSet(field=f, value=v) for f, v in answers.items()))
    report = people.report()
    sections = {section.title: section for section in report.sections}
    assert "“Clarity”, the main question" in str(sections["Annotators"].notes)
    (pooled,) = table(report, "ratings-spent").rows
    assert pooled.cells["percent_agreement"].value == 1
