"""Works with a field of the kind that ``test_recipe.py`` adds, in the process that has it."""

from __future__ import annotations

import sys
from pathlib import Path

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.comparison.measures import value_distance
from pagetrail.annotation.protocols.protocol import parse
from pagetrail.annotation.ratings.schemes import readers
from pagetrail.annotation.replay.builder import script
from pagetrail.exports.run import export
from pagetrail.storage.attempts.event_log import SqlEventLog
from scripts.javascript_types import declarations
from scripts.protocol_reference import PAGE, with_reference
from tests.exports.conftest import rows
from tests.support.factory import AttemptDriver, make_workspace

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

    (reader, *_) = readers(protocol)
    (scheme,) = reader.schemes
    assert (scheme.kind, scheme.level, scheme.categories) == ("stars", "ordinal", (1, 2, 3, 4, 5))
    (spec,) = protocol.fields
    assert value_distance(spec, 3, 5) == 0.5

    export(workspace, "Otters", "labels", folder / "out")
    (row,) = rows(folder / "out" / "labels.jsonl")
    assert (row["field"], row["kind"], row["values"]) == ("clarity", "stars", ["3"])
    assert '`"stars"`' in with_reference(PAGE.read_text(encoding="utf-8"))
    assert 'kind: "stars" | "choice"' in declarations()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
