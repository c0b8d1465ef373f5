"""First and final submissions in reports and exports, on one campaign through the real review.

========  =======================  ==================================  =====================
task      gold                     Ada                                 Grace
========  =======================  ==================================  =====================
q1        otter, p. 1              seal, p. 2; sent back: otter, p. 1  otter, p. 1
q2        otter, p. 1              otter, p. 1                         seal, p. 2; then,
                                                                       unasked, otter, p. 1
========  =======================  ==================================  =====================
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.submission import SUBMISSION_VERSIONS, SubmissionVersion
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from tests.exports.adjudication import Bench
from tests.exports.campaigns import CAMPAIGN, make_stage
from tests.exports.reports.metrics.answered import value
from tests.exports.worked_campaigns import ANSWERED, OPENED, REPORT, page

WEEK_S = 7 * 86_400


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The campaign; only read."""
    tasks = [
        {"id": key, "question": "?", "answer_variants": [["otter"]], "evidence": [page(1)]}
        for key in ("q1", "q2")
    ]
    protocol = with_overrides(preset("search"), {"overlap": 2})
    stage = make_stage(tmp_path_factory.mktemp("submissions") / "ws", protocol, tasks)

    def cites(number: int) -> ev.CitationAdded:
        return ev.CitationAdded(document=REPORT, page=number)

    right = (cites(1), ev.AnswerEdited(text="otter"), ANSWERED)
    wrong = (cites(2), ev.AnswerEdited(text="seal"), ANSWERED)
    corrected = (ev.CitationRemoved(document=REPORT, page=2), *right)
    stage.did("q1", "Ada", OPENED, *wrong)
    stage.did("q1", "Grace", OPENED, *right)
    stage.did("q2", "Ada", OPENED, *right)
    stage.did("q2", "Grace", OPENED, *wrong)
    bench = Bench(stage)
    bench.reviews.send_back("1-Ada", "Vera", "Look at page 1.", (), "back-1")
    stage.clock.advance(seconds=WEEK_S)
    stage.did("q1", "Ada", OPENED, *corrected)
    stage.did("q2", "Grace", ev.Reopened(), *corrected)
    return stage.workspace


def reports(workspace: Workspace, submission: SubmissionVersion) -> tuple[Report, Report]:
    """Of metrics and of agreement, with few replicates."""
    with open_source(workspace, CAMPAIGN, submission=submission) as source:
        return metrics(source, MetricsOptions(replicates=20)), agreement(
            source, AgreementOptions(replicates=20)
        )


def test_reports_take_first_submissions_unless_told_otherwise(workspace: Workspace) -> None:
    """Accuracy, evidence and agreement; both say which submission they are of."""
    first, final = reports(workspace, "first"), reports(workspace, "final")
    with open_source(workspace, CAMPAIGN) as source:
        assert metrics(source, MetricsOptions(replicates=20)) == first[0]
    for column in ("accuracy", "page_f1"):
        scores = [
            value(report_pair[0], "results", column, side="Humans")
            for report_pair in (first, final)
        ]
        assert scores == [0.5, 1]
    matches = [
        value(report_pair[1], "answers", "exact_match", group="Pooled")
        for report_pair in (first, final)
    ]
    assert matches == [0, 1]
    assert [report_pair[0].choices["Submission"] for report_pair in (first, final)] == [
        "first",
        "final",
    ]
    assert [report_pair[1].choices["submission"] for report_pair in (first, final)] == [
        "first",
        "final",
    ]


def test_waiting_is_no_effort(workspace: Workspace) -> None:
    """A week between two submissions is nobody's time; neither is what came after the first."""
    first, final = (reports(workspace, version)[0] for version in SUBMISSION_VERSIONS)
    for time in ("Wall", "Until submission"):
        assert value(first, "times", "highest", side="Humans", time=time) < 60
        assert value(final, "times", "highest", side="Humans", time=time) > WEEK_S


def test_what_changed_later_is_counted_by_its_cause(workspace: Workspace, tmp_path: Path) -> None:
    """In reports, at the top too, and in manifests; nothing is left out of final submissions."""
    causes = [
        ("later submission", "reopened_by_the_annotator", ["2-Grace"]),
        ("later submission", "sent_back", ["1-Ada"]),
    ]
    for report in reports(workspace, "first"):
        assert [(e.what, e.reason, e.ids) for e in report.left_out] == causes
        assert report.sections[0].notes[0] == (
            "First submissions count. 2 attempts were changed later: 1 after the annotator "
            "reopened the task unasked, 1 after the task was sent back."
        )
    assert not any(report.left_out for report in reports(workspace, "final"))
    manifest = export_manifest(workspace, "madqa", "first", tmp_path / "first")
    assert manifest["choices"] == {"submission": "first"}
    assert [(e["what"], e["reason"], e["ids"]) for e in manifest["left_out"]] == causes
    manifest = export_manifest(workspace, "madqa", "final", tmp_path / "final")
    assert manifest["choices"] == {"submission": "final"} and not manifest["left_out"]
    assert (
        "submission"
        not in export_manifest(workspace, "gold", "final", tmp_path / "gold")["choices"]
    )


def export_manifest(
    workspace: Workspace, format_: str, version: SubmissionVersion, out: Path
) -> dict[str, Any]:
    """The manifest of an export."""
    export(workspace, CAMPAIGN, format_, out, submission=version)
    return cast(dict[str, Any], json.loads((out / "manifest.json").read_text()))


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of a JSONL file."""
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def test_exports_hold_first_submissions(workspace: Workspace, tmp_path: Path) -> None:
    """Answers, pages and times; the event log is whole in either case."""
    answers: dict[SubmissionVersion, list[Any]] = {}
    for version in SUBMISSION_VERSIONS:
        export_manifest(workspace, "madqa", version, tmp_path / version)
        results = rows(tmp_path / version, "results.jsonl")
        answers[version] = [
            (row["answer"], [c["page"] for c in row["citations"]]) for row in results
        ]
        export_manifest(workspace, "trajectories", version, tmp_path / f"log-{version}")
        export_manifest(workspace, "labels", version, tmp_path / f"labels-{version}")
    seal, otter = (["seal"], [2]), (["otter"], [1])
    assert answers == {"first": [seal, otter, otter, seal], "final": [otter] * 4}
    logs = [(tmp_path / f"log-{version}" / "events.jsonl").read_bytes() for version in answers]
    assert logs[0] == logs[1]
    first, final = (rows(tmp_path / f"log-{version}", "attempts.jsonl") for version in answers)
    assert [row["answer"] for row in first] == [["seal"], ["otter"], ["otter"], ["seal"]]
    assert first[1:3] == final[1:3]
    assert max(row["wall_ms"] for row in first) < 60_000 < WEEK_S * 1000 < final[0]["wall_ms"]
    labelled = rows(tmp_path / "labels-first", "attempts.jsonl")
    assert [row["answer"] for row in labelled] == [["seal"], ["otter"], ["otter"], ["seal"]]


def test_only_the_two_submissions_are_taken(workspace: Workspace, tmp_path: Path) -> None:
    """Anything else is refused by name, before a file is written."""
    with pytest.raises(PagetrailError, match=r"Choose from first, final\.") as refused:
        export(
            workspace, CAMPAIGN, "madqa", tmp_path / "x", submission=cast(SubmissionVersion, "last")
        )
    assert refused.value.code == "invalid_submission"
    assert not (tmp_path / "x").exists()
