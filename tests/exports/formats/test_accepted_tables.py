"""Two people's equal tables become gold without a reviewer, and exports have them."""

from __future__ import annotations

from pathlib import Path

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.tables.parsing import parse_tables
from pagetrail.exports.run import export
from tests.exports.adjudication import Bench
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.exports.conftest import rows
from tests.exports.worked_campaigns import COMPLETED, OPENED, page, task_field

HTML = (
    "<table><tr><th>River</th><th>2004</th></tr>"
    "<tr><td>Saale</td><td>1O</td></tr><tr><td>Ilm</td><td>3</td></tr></table>"
)
PROTOCOL = with_overrides(preset("verify_table"), {"overlap": 2, "review.check_share": 0.0})


def corrected(root: Path, **texts: tuple[str, str]) -> Stage:
    """A table of which these people corrected the number and the name of the second river."""
    record = {
        "id": "g1",
        "question": "Verify",
        "candidates": [page(1)],
        "tables": [{"id": "counts", "html": HTML}],
    }
    stage = make_stage(root, PROTOCOL, [record], tuple(texts))
    place = {**page(1), "table": "counts", "structure": 0}

    def cell(row: int, column: int, was: str, text: str) -> ev.TableEdited:
        change = {"kind": "text", "row": row, "column": column, "was": was, "text": text}
        return ev.TableEdited.model_validate({**place, "change": change})

    for person, (number, river) in texts.items():
        stage.did(
            "g1",
            person,
            OPENED,
            cell(1, 1, "1O", number),
            cell(2, 0, "Ilm", river),
            task_field("complete", "yes"),
            task_field("records", "yes"),
            COMPLETED,
        )
    return stage


def test_equal_tables_become_gold_and_are_exported(tmp_path: Path) -> None:
    """White space makes no difference; the gold has one person's."""
    stage = corrected(tmp_path / "ws", Ada=("1,000", "River Ilm"), Grace=(" 1,000 ", "River  Ilm"))
    bench = Bench(stage)
    assert bench.reviews.acceptance.settle(1) == 1
    export(stage.workspace, CAMPAIGN, "adjudicated", tmp_path / "gold")
    (gold,) = rows(tmp_path / "gold" / "gold.jsonl")
    assert (gold["adjudication"]["automatic"], gold["adjudication"]["by"]) == (True, "rule")
    (table,) = gold["gold"]["tables"]
    records = [{"River": "Saale", "2004": "1,000"}, {"River": "River Ilm", "2004": "3"}]

    def records_in(html: str) -> list[dict[str, str]]:
        (parsed,) = parse_tables(html)
        return [
            {header: " ".join(text.split()) for header, text in record.items()}
            for record in parsed.grid.records()
        ]

    assert records_in(table["html"]) == records
    dataset = tmp_path / "dataset"
    export(stage.workspace, CAMPAIGN, "parsebench-dataset", dataset, gold="adjudicated")
    (line,) = rows(dataset / "table.jsonl")
    assert records_in(line["expected_markdown"]) == records


def test_tables_that_differ_in_a_cell_wait_for_a_reviewer(tmp_path: Path) -> None:
    stage = corrected(tmp_path / "ws", Ada=("10", "Ilm?"), Grace=("16", "Ilm?"))
    bench = Bench(stage)
    assert bench.reviews.acceptance.settle(1) == 0
    task_work = bench.reviews.streams.task_work(1)
    (part,) = [p for p in bench.reviews.streams.difference(task_work).parts if not p.agreed]
    assert part.part == "tables"
