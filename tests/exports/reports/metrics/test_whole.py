"""Metrics reports as wholes: any order of work, any protocol, nothing at all, wrong options."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import MeasureError, NotFoundError, PagetrailError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.judging.judge import ANLS_JUDGE
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Cell, Report
from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import StageOf
from tests.exports.reports.metrics.answered import (
    P1,
    P2,
    P3,
    Scene,
    Try,
    line,
    make_scene,
    section,
    table,
    task,
)
from tests.exports.reports.metrics.judged import JUDGED_CAMPAIGN, judged_scene, judging
from tests.support.events_read import note_events_read

KEYS = [f"q{n}" for n in range(6)]
TRIES = {
    ("Ada", "q0"): Try(searches=[[P1]]),
    ("Ada", "q1"): Try("7", searches=[[P3], [P1]]),
    ("Bo", "q1"): Try(step_s=20),
    ("Bo", "q2"): Try(None, searches=[[P2]] * 3),
    ("gpt", "q0"): Try("7"),
    ("gpt", "q1"): Try(searches=[[P1]]),
    ("gpt", "q2"): Try(cites=[P2]),
    ("llama", "q2"): Try(searches=[[P3], [P1]]),
    ("llama", "q5"): Try(),
}


def scene_in_order(root: Path, order: list[tuple[str, str]]) -> Scene:
    """The same work, done in that order."""
    scene = make_scene(root, [task(key, P1, domain=f"D{key}") for key in KEYS], ("Ada", "Bo"))
    for name, key in order:
        record_attempts = scene.system if name in ("gpt", "llama") else scene.person
        record_attempts(name, {key: TRIES[name, key]})
    return scene


def test_the_order_of_work_does_not_matter(tmp_path: Path) -> None:
    """Attempts that are made the other way round give the same report, field by field.

    Also who is first at a task: Ada and Bo at q1, of whom one is right.
    """
    order = list(TRIES)
    reversed_order = list(reversed(order))
    reports = []
    for name, attempt_order in (("a", order), ("b", reversed_order)):
        (tmp_path / name).mkdir()
        reports.append(scene_in_order(tmp_path / name, attempt_order).report(by_annotator=True))
    assert reports[0] == reports[1]


def test_the_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    """And another seed other intervals."""
    scene = scene_in_order(tmp_path, list(TRIES))
    assert scene.report(seed=1) == scene.report(seed=1)
    assert scene.report(seed=1) != scene.report(seed=2)


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """The work of ``TRIES``."""
    return scene_in_order(tmp_path_factory.mktemp("worked"), list(TRIES))


def cells(report: Report) -> Iterator[tuple[str, Cell]]:
    """Every cell of a report."""
    for report_table in report.tables:
        for row in report_table.rows:
            assert set(row.cells) == {column.key for column in report_table.columns}, (
                report_table.key
            )
            for key, cell in row.cells.items():
                yield f"{report_table.key}.{key}", cell


def sound(report: Report) -> None:
    """Every cell has a result or a reason; no result is NaN; shares are in bounds."""
    kinds = {
        f"{report_table.key}.{column.key}": column.kind
        for report_table in report.tables
        for column in report_table.columns
    }
    for name, cell in cells(report):
        assert (cell.value is None) == (cell.reason is not None), name
        numbers = [x for x in (cell.value, cell.low, cell.high, cell.se) if isinstance(x, float)]
        assert all(map(math.isfinite, numbers)), name
        if kinds[name] == "share" and not name.endswith(".difference"):
            bounded = [x for x in (cell.value, cell.low, cell.high) if isinstance(x, float)]
            assert all(0 <= x <= 1 for x in bounded), name
        if cell.low is not None and cell.high is not None:
            assert isinstance(cell.value, int | float)
            assert cell.low <= cell.value <= cell.high, name


@pytest.mark.filterwarnings(
    "error",
    # Python 3.13 warns of connections that other tests left to the garbage collector.
    "ignore::pytest.PytestUnraisableExceptionWarning",
)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"by_annotator": True, "by": "batch", "idle_cap_s": 120},
        {"compare": ["llama"], "rule": "exact_match", "by": "query_type"},
        {"rule": "judgement"},
        {"rule": "anls_star", "compare": []},
    ],
)
def test_every_report_is_sound(
    scene: Scene, options: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    """No NaN, no result out of bounds, no warning, and nothing on stderr."""
    sound(scene.report(**options))
    assert capfd.readouterr() == ("", "")


OTHER_PROTOCOLS = {
    "relevance": (None, "no_citations_asked"),
    "verify": ("no_answer_asked", "no_citations_asked"),
    "verify_chart": ("no_answer_asked", "no_citations_asked"),
    "verify_transcript": ("no_answer_asked", "no_citations_asked"),
    "qa_review": ("no_answer_asked", "no_citations_asked"),
    "judge": ("no_answer_asked", "no_citations_asked"),
    "author": ("no_gold_answer", "no_gold_evidence"),
}
"""Scene → why there is no accuracy, and no F1."""


@pytest.mark.filterwarnings(
    "error",
    # Python 3.13 warns of connections that other tests left to the garbage collector.
    "ignore::pytest.PytestUnraisableExceptionWarning",
)
@pytest.mark.parametrize("name", OTHER_PROTOCOLS)
def test_protocols_that_ask_for_something_else(stage_of: StageOf, name: str) -> None:
    """What is undefined says why; times are measured all the same. In linking pages an answer is
    asked for, and that scene has an accepted one: both give it, one with a unit.
    """
    with open_source(stage_of(name).workspace, CAMPAIGN) as source:
        report = metrics(source, MetricsOptions(replicates=50))
    sound(report)
    cells = line(report, "results", side="Humans")
    no_accuracy, no_f1 = OTHER_PROTOCOLS[name]
    assert cells["attempts"].value
    assert cells["accuracy"].reason == no_accuracy
    assert cells["accuracy"].value == (None if no_accuracy else 1.0)
    assert cells["page_f1"] == cells["doc_f1"] == Cell(reason=no_f1)
    assert cells["active_s"].value is not None
    assert [section.title for section in report.sections] == ["Results", "Effort"]
    tables = {report_table.key for report_table in report.tables}
    assert tables - {"effort", "accuracy-by-minutes", "accuracy-by-time"} == {
        "results",
        "decided",
        "times",
    }
    assert ("effort" in tables) == (no_accuracy is None)
    assert [note.split(" ", 1)[0] for note in report.sections[0].notes] == [
        *(["Texts,"] if name == "verify_chart" else []),
        "Errors",
        "Search",
        "Cost",
        "Comparison",
        "Time",
        "Judges",
    ]


def test_an_empty_campaign_has_a_report(tmp_path: Path) -> None:
    """One line for people, undefined throughout, and nothing more."""
    report = make_scene(tmp_path, [task("q1", P1)]).report()
    sound(report)
    assert [section.title for section in report.sections] == ["Results", "Effort"]
    cells = line(report, "results", side="Humans")
    assert cells["attempts"].value == 0
    for name in ("accuracy", "page_f1", "kuiper", "wasted_effort", "searches", "active_s"):
        assert cells[name] == Cell(reason="no_rows")
    assert {(entry.reason, entry.count) for entry in report.left_out} == {("never_opened", 2)}
    assert report.charts == []


def test_a_side_that_solved_all_has_no_kappa_to_speak_of(tmp_path: Path) -> None:
    """Kappa is 0 whatever the other participant does; that is no estimate, and has no interval."""
    scene = make_scene(tmp_path, [task(key, P1) for key in KEYS])
    scene.system("all", {key: Try() for key in KEYS})
    scene.system("half", {key: Try("42" if n % 2 else "7") for n, key in enumerate(KEYS)})
    comparison = line(scene.report(), "comparison")
    assert comparison["kappa"] == Cell(0.0, flag="one_side_constant")
    assert comparison["difference"].value == 0.5


def test_other_tasks_are_pointed_out(tmp_path: Path) -> None:
    """Accuracies on different tasks do not compare; on the same ones nothing is said."""
    scene = make_scene(tmp_path, [task(key, P1) for key in KEYS])
    scene.system("gpt", {key: Try() for key in KEYS})
    scene.system("llama", {key: Try() for key in KEYS})
    warning = "The participants did not attempt the same tasks"
    assert not any(note.startswith(warning) for note in table(scene.report(), "results").notes)
    scene.system("late", {KEYS[0]: Try()})
    assert any(note.startswith(warning) for note in table(scene.report(), "results").notes)


def test_a_campaign_of_systems_alone(tmp_path: Path) -> None:
    """People who have done nothing are no line beside systems."""
    scene = make_scene(tmp_path, [task("q1", P1)])
    scene.system("gpt", {"q1": Try()})
    assert [row.cells["side"].value for row in table(scene.report(), "results").rows] == ["gpt"]


def test_a_protocol_without_search(tmp_path: Path) -> None:
    """With the pages given everybody is at 0 searches; the rest is measured."""
    scene = make_scene(tmp_path, [task(key, P1) for key in KEYS], protocol=preset("oracle"))
    for n, key in enumerate(KEYS[:3]):
        steps = [ev.Opened(session="tab-1"), ev.CitationAdded(document=P1[0], page=P1[1])]
        steps += [ev.AnswerEdited(text="42" if n else "7"), ev.Submitted(outcome="answered")]
        scene.stage.did(key, "Ada", *steps)
    report = scene.report()
    sound(report)
    assert not section(report, "Search") and section(report, "Errors")
    assert (
        line(report, "effort", effort="Searches")["wasted_effort"].reason == "effort_not_positive"
    )
    cells = line(report, "results", side="Humans")
    assert cells["accuracy"].value == 2 / 3
    # Everybody's one iteration would make K and wasted effort look measured.
    assert cells["kuiper"] == cells["wasted_effort"] == Cell(reason="no_searches")
    assert "accuracy-by-searches" not in [report_table.key for report_table in report.tables]


def test_judges(tmp_path: Path) -> None:
    """ANLS* of "42 otters" is 2/9, and people judge it partly correct; the others match exactly."""
    report = judged_scene(tmp_path).report(judgements=JUDGED_CAMPAIGN)
    sound(report)
    cells = line(report, "judges-agreement", judge=ANLS_JUDGE)
    assert (cells["answers"].value, cells["agreement"].value) == (1, 0)
    assert cells["sensitivity"].value == 0
    assert cells["specificity"] == Cell(reason="no_incorrect_in_calibration", n=0)
    corrected = line(report, "judges-corrected", side="gpt")
    assert corrected["corrected"] == Cell(reason="no_incorrect_in_calibration")
    assert corrected["judged_right"].value == 1 / 2
    decided = line(report, "decided", side="Humans")
    assert (decided["judgement"].value, decided["quantity"].value) == (2, 1)
    assert line(report, "results", side="Humans")["accuracy"].value == 1 / 3


def test_accuracy_without_the_errors_of_anls(tmp_path: Path) -> None:
    """Six of eight attempts are judged: ANLS* is right on 3 of 4 that are right and on 1 of 2 that
    are wrong, and calls 5 of 8 right. θ = (5/8 + 1/2 − 1) / (1/2 + 3/4 − 1) = 1/2.
    """
    gold, similar = "grey seals of the north", "grey seals off the north"
    keys = [f"q{n}" for n in range(8)]
    answers = [similar, similar, similar, similar, "zebra", "zebra", similar, "zebra"]
    verdicts = ["correct"] * 3 + ["incorrect"] * 2 + ["correct"]
    tasks = [task(key, P1, answer=gold) for key in keys]
    scene = make_scene(tmp_path, tasks, ("Ada", "Bo"))
    scene.system("gpt", {key: Try(answer) for key, answer in zip(keys, answers, strict=True)})
    judging(
        scene,
        [
            (key, "gpt", answer, "Ada", verdict)
            for key, answer, verdict in zip(keys, answers, verdicts, strict=False)
        ],
    )
    report = scene.report(judgements=JUDGED_CAMPAIGN)
    sound(report)
    rule = line(report, "judges-by-participant", side="gpt")
    assert (rule["sensitivity"].value, rule["specificity"].value) == (3 / 4, 1 / 2)
    (judges,) = (section for section in report.sections if section.title == "Judges")
    assert f"Reference: the annotators' verdicts in campaign {JUDGED_CAMPAIGN}." in judges.notes
    cells = line(report, "judges-corrected", side="gpt")
    assert cells["raw"].value == 5 / 8
    assert cells["corrected"].value == pytest.approx(1 / 2)
    # The interval has the calibration's uncertainty: six verdicts leave nearly all open.
    assert cells["corrected"].low == 0 and cells["corrected"].high == 1
    assert cells["judged_right"].value == 4 / 6
    # The judgement decides where there is one; the rule leaves the other two undecided.
    accuracy = line(report, "results", side="gpt")["accuracy"]
    assert (accuracy.value, accuracy.undecided, accuracy.upper) == (4 / 8, 2, 6 / 8)
    strict = scene.report(judgements=JUDGED_CAMPAIGN, rule="judgement")
    assert line(strict, "results", side="gpt")["accuracy"].value == 4 / 6
    assert line(strict, "decided", side="gpt")["not_judged"].value == 2
    assert any(
        "Accuracy covers decided attempts" in note for note in table(strict, "results").notes
    )


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        ({"by": "colour"}, "invalid_group", "'colour'. Choose from domain, category, query_type"),
        ({"idle_cap_s": 90}, "invalid_idle_cap", "idle cap of 90 s. Choose from 60, 100, 120"),
        ({"rule": "guess"}, "invalid_rule", "rule 'guess'. Choose from first, judgement"),
    ],
)
def test_wrong_options_are_refused(
    scene: Scene, options: dict[str, Any], code: str, message: str
) -> None:
    """Before anything is read; the message names what there is."""
    with pytest.raises(PagetrailError, match=message) as refused:
        scene.report(**options)
    assert refused.value.code == code


def test_unknown_systems_and_too_few_replicates_are_refused(scene: Scene) -> None:
    """The message lists the campaign's systems."""
    with pytest.raises(NotFoundError, match="Systems: gpt, llama"):
        scene.report(compare=["claude"])
    with pytest.raises(MeasureError, match="1 replicates"):
        scene.report(replicates=1)


def test_every_attempt_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many sections and reports there are, until its task changes."""
    scene = scene_in_order(tmp_path, list(TRIES))
    read = note_events_read(monkeypatch)
    first = scene.report()
    assert len(read) == len({head.id for head in read}) == len(TRIES)
    assert scene.report() == first
    assert len(read) == len(TRIES)


def test_settings_are_part_of_the_report(scene: Scene) -> None:
    """What shaped the results can be read from it."""
    choices = scene.report(idle_cap_s=100, rule="exact_match").choices
    assert choices["Idle cap, s"] == 100
    assert (choices["Rule"], choices["Group by"]) == ("exact_match", "domain")
    assert choices["Systems compared"] == ["gpt", "llama"]
    assert (choices["Replicates"], choices["Vectoriser of drift"]) == (200, "tfidf-words")


def test_campaigns_side_by_side(tmp_path: Path) -> None:
    """People, an oracle's system and the same system searching: lines of their own, with their n;
    compared on what asks the same; what one left out is said to be its own."""
    scene = scene_in_order(tmp_path, list(TRIES))
    other = [RawRow(n, task(f"q{n}", P1)) for n in range(2)]
    other.append(RawRow(2, task("q2", P1, question="Something else?")))
    import_tasks(
        scene.stage.workspace, TaskFile(other), campaign="Oracle", protocol="oracle", assign=False
    )
    scene.system("gpt", {"q0": Try(), "q1": Try(), "q2": Try("7")}, campaign="Oracle")
    report = scene.report(beside=["Oracle"], compare=["gpt"])
    rows = {row.cells["side"].value: row.cells for row in table(report, "results").rows}
    people, searching, oracle = f"Humans · {CAMPAIGN}", f"gpt · {CAMPAIGN}", "gpt · Oracle"
    assert list(rows) == [people, searching, oracle]
    assert [rows[name]["attempts"].value for name in rows] == [4, 3, 3]
    assert rows[oracle]["accuracy"].value == pytest.approx(2 / 3)
    assert rows[oracle]["accuracy"].low is not None
    pair = line(report, "comparison", a=searching, b=oracle)
    assert (pair["tasks"].value, pair["only_b"].value) == (2, 1), "q2 asks something else"
    assert report.campaign == f"{CAMPAIGN}, Oracle"
    left = {(entry.reason, getattr(entry, "campaign", None)) for entry in report.left_out}
    assert ("system_not_compared", CAMPAIGN) in left
    single_system = scene.report(compare=["gpt"])
    assert line(single_system, "results", side="gpt")["accuracy"] == rows[searching]["accuracy"]
    with pytest.raises(NotFoundError, match="nobody"):
        scene.report(beside=["Oracle"], compare=["nobody"])
    assert [row.cells["attempts_measured"].value for row in table(report, "campaigns").rows] == [
        7,
        3,
    ]


def test_intervals_over_tasks_and_annotators(tmp_path: Path) -> None:
    """Five people who differ: their intervals are wider with annotators, a system's are the same;
    each report names what it drew.
    """
    people = ["Ada", "Bo", "Cy", "Di", "Ed"]
    scene = make_scene(tmp_path, [task(key, P1) for key in KEYS], people)
    for n, name in enumerate(people):
        scene.person(name, {key: Try("42" if k < n else "7") for k, key in enumerate(KEYS[:4])})
    scene.system("gpt", {key: Try("42" if k % 2 else "7") for k, key in enumerate(KEYS)})
    tasks_report, both_report = (
        scene.report(intervals=units) for units in ("tasks", "tasks_and_annotators")
    )
    sound(both_report)
    by_tasks, by_both = (
        line(report, "results", side="Humans")["accuracy"] for report in (tasks_report, both_report)
    )
    assert by_tasks.value == by_both.value
    assert by_tasks.se is not None and by_both.se is not None and by_both.se > by_tasks.se
    system = [
        line(report, "results", side="gpt")["accuracy"] for report in (tasks_report, both_report)
    ]
    assert system[0].low == pytest.approx(system[1].low)
    kappa = line(both_report, "comparison", a="Humans", b="gpt")["kappa"]
    assert kappa.low is not None and kappa.high is not None
    notes = [" ".join(table(report, "results").notes) for report in (tasks_report, both_report)]
    assert "samples, tasks resampled" in notes[0] and "annotators for that" in notes[0]
    assert "samples, tasks and annotators resampled" in notes[1]
    assert tasks_report.choices["Intervals"] == "95% percentile bootstrap, tasks resampled"


def test_too_few_annotators_to_resample(scene: Scene) -> None:
    """Below five the report says why there is no such interval, whichever kind is asked for."""
    default = table(scene.report(), "results").notes
    assert any(
        "needs at least 5 of them; these results have 2 annotators" in note for note in default
    )
    report = scene.report(intervals="tasks_and_annotators")
    sound(report)
    cell = line(report, "results", side="Humans")["accuracy"]
    assert (cell.low, cell.flag) == (None, "few_annotators")
    assert any("fewer than 5 annotators" in note for note in table(report, "results").notes)
    with pytest.raises(PagetrailError, match="no intervals over 'people'") as refused:
        scene.report(intervals="people")
    assert refused.value.code == "invalid_intervals"
