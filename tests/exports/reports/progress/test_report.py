"""Progress as a report: complete, in every form, and a section at a time."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from pagetrail.annotation.progress.agreement import agreement_so_far
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.progress.report import TITLES, Progress, progress_report
from pagetrail.exports.reports.render.html_page import html_text
from pagetrail.exports.reports.render.json_text import json_text
from pagetrail.storage.progress import agreement_inputs, dashboard
from pagetrail.storage.review.projection import refresh
from tests.support.factory import START, make_workspace, record_attempts


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Report]:
    """Of a campaign with work: the whole report, and only its sections on review and time."""
    workspace = make_workspace(Path(tmp_path_factory.mktemp("progress")) / "ws")
    record_attempts(workspace)
    refresh(workspace.engine)
    campaign = dashboard.campaign_of(workspace.engine, "Otters")
    now = (START + timedelta(days=3)).timestamp()
    progress = Progress(dashboard.work_of(workspace.engine, campaign.id), now)
    inputs = (workspace.engine, campaign.id)
    compared = [(task.task, task.parts) for task in agreement_inputs.parts_of(*inputs)]
    agreement = agreement_so_far(campaign.protocol, compared, agreement_inputs.reads_of(*inputs))
    full_report = progress_report("Otters", "search", progress, agreement)
    narrowed_report = progress_report(
        "Otters", "search", progress, parts=["review", "time"], choices={"batch": "Orion"}
    )
    return full_report, narrowed_report


def test_the_report_has_every_section_with_its_facts(reports: tuple[Report, Report]) -> None:
    """The numbers of the head are facts, and the moment that all are of is named."""
    full_report, _ = reports
    assert full_report.facts["Batches"] == 2
    assert (
        full_report.facts["Answers wanted"] >= full_report.facts["Answers submitted or skipped"] > 0
    )
    assert full_report.choices == {"As of": "2026-03-05T09:00:00+00:00"}
    assert [section.title for section in full_report.sections] == [*TITLES.values()]
    for keys in ([t.key for t in full_report.tables], [c.key for c in full_report.charts]):
        assert len(set(keys)) == len(keys) > 3, "keys name the files"


def test_only_the_sections_that_are_wanted_are_made(reports: tuple[Report, Report]) -> None:
    """In the order in which they are wanted, and the report says what it is narrowed to."""
    _, narrowed_report = reports
    assert [section.title for section in narrowed_report.sections] == ["Review", "Time"]
    assert narrowed_report.choices["batch"] == "Orion"


def test_the_report_is_rendered_like_any_other(reports: tuple[Report, Report]) -> None:
    """Every table and chart is in the page and in the JSON."""
    full_report, _ = reports
    page, data = html_text(full_report), json.loads(json_text(full_report))
    for section in full_report.sections:
        assert section.title in page
    assert data["kind"] == "progress"
    assert all(table.title in page for table in full_report.tables)
