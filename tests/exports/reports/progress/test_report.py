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
    found = Progress(dashboard.work_of(workspace.engine, campaign.id), now)
    chosen = (workspace.engine, campaign.id)
    compared = [(each.task, each.parts) for each in agreement_inputs.parts_of(*chosen)]
    agreement = agreement_so_far(campaign.protocol, compared, agreement_inputs.reads_of(*chosen))
    whole = progress_report("Otters", "search", found, agreement)
    some = progress_report(
        "Otters", "search", found, parts=["review", "time"], choices={"batch": "Orion"}
    )
    return whole, some


def test_the_report_has_every_section_with_its_facts(reports: tuple[Report, Report]) -> None:
    """The numbers of the head are facts, and the moment that all are of is named."""
    whole, _ = reports
    assert whole.facts["Batches"] == 2
    assert whole.facts["Answers wanted"] >= whole.facts["Answers submitted or skipped"] > 0
    assert whole.choices == {"As of": "2026-03-05T09:00:00+00:00"}
    assert [section.title for section in whole.sections] == [*TITLES.values()]
    for keys in ([t.key for t in whole.tables], [c.key for c in whole.charts]):
        assert len(set(keys)) == len(keys) > 3, "keys name the files"


def test_only_the_sections_that_are_wanted_are_made(reports: tuple[Report, Report]) -> None:
    """In the order in which they are wanted, and the report says what it is narrowed to."""
    _, some = reports
    assert [section.title for section in some.sections] == ["Review", "Time"]
    assert some.choices["batch"] == "Orion"


def test_the_report_is_rendered_like_any_other(reports: tuple[Report, Report]) -> None:
    """Every table and chart is in the page and in the JSON."""
    whole, _ = reports
    page, data = html_text(whole), json.loads(json_text(whole))
    for section in whole.sections:
        assert section.title in page
    assert data["kind"] == "progress"
    assert all(table.title in page for table in whole.tables)
