"""Reports from results on disk: equal to others, and computed from as little as has changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select, update

from pagetrail.annotation import events as ev
from pagetrail.annotation.agreement import bootstrap
from pagetrail.annotation.ratings.numbers import number_row
from pagetrail.annotation.statistics.task_bootstrap import mean_interval
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import AgreementOptions, agreement
from pagetrail.exports.reports.charts.style import unchecked
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Report
from pagetrail.exports.reports.resampling import Resampling
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, Page, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.snapshot.result_cache import FILE_NAME, ResultCache, unpacked
from pagetrail.storage.snapshot.rows import AttemptHead
from tests.exports.campaigns import CAMPAIGN
from tests.exports.worked_campaigns import SCENES
from tests.support.events_read import note_events_read

METRICS: tuple[dict[str, Any], ...] = (
    {},
    {"by": "batch"},
    {"idle_cap_s": 120},
    {"by_annotator": True},
    {"identify": True},
)
AGREEMENT: tuple[dict[str, Any], ...] = ({}, {"by": "document"}, {"identify": True})
BY_EVERY_OPTION = ((metrics, MetricsOptions, METRICS), (agreement, AgreementOptions, AGREEMENT))
PLAIN = ((metrics, MetricsOptions, METRICS[:1]), (agreement, AgreementOptions, AGREEMENT[:1]))


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[AttemptHead]:
    """The attempts whose events are read."""
    return note_events_read(monkeypatch)


def reports(
    workspace: Workspace, options_of: Any = PLAIN, *, uncached: bool = False
) -> list[Report]:
    """Both reports.

    Args:
        options_of: what each is asked for.
        uncached: the results on disk.
    """
    built_reports = []
    for build, model, choices in options_of:
        for choice in choices:
            options = {"replicates": 20, **choice}
            identify = options.pop("identify", False)
            with unchecked(), open_source(workspace, CAMPAIGN, identify=identify) as source:
                if uncached:
                    source = replace(source, cache=ResultCache())
                built_reports.append(build(source, model(**options)))
    return built_reports


@pytest.mark.parametrize("scene", SCENES)
def test_a_kept_report_is_the_one_computed_again(
    scene: str, tmp_path: Path, read: list[AttemptHead]
) -> None:
    """Of every kind of protocol, one of them by every option; nothing is read a second time."""
    workspace = SCENES[scene](tmp_path / "ws").workspace
    options = BY_EVERY_OPTION if scene == "relevance" else PLAIN
    expected = reports(workspace, options, uncached=True)
    assert not (workspace.cache_dir / FILE_NAME).exists()
    read.clear()
    assert reports(workspace, options) == expected
    with open_source(workspace, CAMPAIGN) as source:
        assert len(read) == source.campaign.opened, "once by both kinds of report"
    read.clear()
    assert reports(Workspace.open(workspace.root), options) == expected, "also after a restart"
    assert read == []


def test_new_work_reads_its_task_alone(tmp_path: Path, read: list[AttemptHead]) -> None:
    """A report is made newer by what is new."""
    stage = SCENES["relevance"](tmp_path / "ws")
    reports(stage.workspace)
    read.clear()
    stage.did("q3", "Ada", ev.Reopened())
    assert reports(stage.workspace)
    assert {head.task for head in read} == {"q3"}
    assert reports(stage.workspace) == reports(stage.workspace, uncached=True)


def test_changed_settings_tasks_and_pages_are_noticed(tmp_path: Path) -> None:
    """Whatever writes them."""
    workspace = SCENES["relevance"](tmp_path / "ws").workspace
    reports(workspace)
    changes = (
        update(Page).values(width=Page.width / 2),
        update(Task).where(Task.key == "q 1").values(record={"id": "q 1", "question": "?"}),
        update(Campaign).values(protocol={**_protocol(workspace), "evidence": {"enabled": False}}),
    )
    for change in changes:
        with write_transaction(workspace.engine) as connection:
            connection.execute(change)
        assert reports(workspace) == reports(workspace, uncached=True)


def _protocol(workspace: Workspace) -> dict[str, Any]:
    with workspace.engine.connect() as connection:
        protocol: dict[str, Any] = connection.execute(select(Campaign)).one().protocol
    return protocol


def test_the_file_names_nobody(tmp_path: Path) -> None:
    """Whoever is anonymised later is not in it."""
    workspace = SCENES["relevance"](tmp_path / "ws").workspace
    with open_source(workspace, CAMPAIGN, identify=True) as source:
        assert agreement(source, AgreementOptions(replicates=20)).identified
        metrics(source, MetricsOptions(by_annotator=True, replicates=20))
        for scope in ("1 first agreement, dpi: None", "1 first metrics, first, gold: task"):
            stored = source.cache.of_tasks(scope)
            assert stored, scope
            for version, value in stored.values():
                result = unpacked(value, version)
                assert result is not None
                # Here, ids of attempts end with a name.
                content = result.replace(b"-Ada", b"").replace(b"-Grace", b"")
                assert b"Ada" not in content
                assert b"Grace" not in content


def test_intervals_are_drawn_once(tmp_path: Path) -> None:
    """They equal those of the functions that draw them, and come from the file after that."""
    rng = np.random.default_rng(3)
    ratings = rng.integers(0, 3, (40, 4)).astype(float)
    ratings[rng.random(ratings.shape) < 0.3] = np.nan
    clusters = [f"q{n % 12}" for n in range(40)]
    scored = [(f"q{n % 12}", float(rng.random())) for n in range(40)]
    choices: dict[str, Any] = {
        "categories": range(3), "weights": "ordinal", "level": "ordinal",
        "keys": ("gwet_ac", "krippendorff_alpha", "cohen_kappa"),
    }  # fmt: skip
    draw_counts: list[int] = []
    for _ in range(2):
        cache = ResultCache(tmp_path)
        resampling = Resampling(50, 7, cache, draw_counts.append)
        assert resampling.mean(scored) == mean_interval(scored, replicates=50, seed=7)
        assert resampling.mean(scored, per_task=False) == mean_interval(
            scored, per_task=False, replicates=50, seed=7
        )
        assert resampling.coefficients(ratings, clusters=clusters, **choices) == bootstrap(
            ratings, clusters=clusters, replicates=50, seed=7, **choices
        )
        numbers = number_row(ratings, clusters, replicates=50, seed=7)
        assert resampling.numbers(ratings, clusters) == numbers.intervals
        assert resampling.mean([]) == mean_interval([], replicates=50, seed=7)
        cache.close()
    assert draw_counts == [1, 2, 3, 4, 5]
    other = Resampling(50, 8, ResultCache(tmp_path), draw_counts.append)
    other.mean(scored)
    assert draw_counts[5:] == [1], "another seed draws others"
