"""The results page from the entry point: whose results it shows, to whom, and when."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from pagetrail.annotation.attempts import recorder
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.review import Pick
from pagetrail.app.results import report_computation as results_compute
from pagetrail.app.results.report_options import AGREEMENT, METRICS
from pagetrail.app.services.composition import Services, replace_services
from pagetrail.app.ui.computing import progress_bar_state
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.agreement.report import agreement
from pagetrail.storage.campaigns.lookup import find_campaign
from pagetrail.storage.database.tables import Attempt, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from pagetrail.storage.snapshot.rows import AttemptHead
from tests.app import planted_results
from tests.app.planted_results import DOMAIN, GRADES, plant_answers, plant_grades
from tests.app.review_case import current_version, under_review
from tests.app.screens import at_screen
from tests.app.views.test_results_parts import report
from tests.support.events_read import note_events_read


@pytest.fixture
def graded(services: Services) -> Services:
    """Both annotators have graded eight pages."""
    plant_grades(services)
    return services


@pytest.fixture
def answered(services: Services) -> Services:
    """Both annotators have answered both questions, and what agrees has been accepted."""
    plant_answers(services)
    with services.workspace.engine.connect() as connection:
        campaign = find_campaign(connection, "Otters")
    assert campaign is not None
    services.reviews.acceptance.settle(campaign.id)
    return services


@pytest.fixture
def computed_reports(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The reports that were computed, one entry each."""
    built: list[str] = []

    def counting(kind: str, build: Callable[..., Any]) -> Callable[..., Any]:
        def count_call(*arguments: Any, **choices: Any) -> Any:
            built.append(kind)
            return build(*arguments, **choices)

        return count_call

    for kind in ("agreement", "metrics"):
        build = getattr(results_compute, kind)
        monkeypatch.setattr(results_compute, kind, counting(kind, build))
    yield built


def results(
    services: Services, monkeypatch: pytest.MonkeyPatch, campaign: str, name: str = "sven"
) -> AppTest:
    """The page at a campaign."""
    at = at_screen(services, name, monkeypatch, "results").run()
    assert not at.exception
    if at.selectbox:
        at = at.selectbox(key="campaign").set_value(campaign).run()
        assert not at.exception
    return at


def switch(at: AppTest, view: str) -> AppTest:
    """The other view."""
    at = at.button_group(key="view").set_value(view).run()
    assert not at.exception
    return at


def frame(at: AppTest, *columns: str) -> pd.DataFrame:
    """The first table with these columns."""
    for dataframe in at.dataframe:
        if set(columns) <= set(dataframe.value.columns):
            return dataframe.value
    raise AssertionError(f"no table has {columns}: {[list(d.value) for d in at.dataframe]}")


def row(table: pd.DataFrame, column: str, name: str) -> dict[str, str]:
    """The line of that name, as text."""
    (record,) = (line for line in table.to_dict("records") if line[column] == name)
    return {str(key): str(value) for key, value in record.items()}


def words(at: AppTest) -> str:
    """Everything on the page that is read as Markdown."""
    parts = [*at.markdown, *at.caption, *at.header, *at.info, *at.error]
    return "\n".join(part.value for part in parts)


def test_agreement_of_planted_grades(graded: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven of eight pairs agree: 87.5 %; the other results are the report's, digit for digit."""
    at = results(graded, monkeypatch, GRADES)
    grades = frame(at, "group", "percent_agreement", "gwet_ac", "weighted_agreement")
    pooled = row(grades, "group", "Pooled")
    assert pooled["percent_agreement"].startswith("87.5")
    assert (pooled["units"], pooled["pairs"]) == ("8", "8")
    with open_source(graded.workspace, GRADES) as source:
        report = agreement(source)
    table = next(table for table in report.tables if table.key == "ratings-relevance")
    cells = next(line for line in table.rows if line.kind == "pooled").cells
    for key in ("gwet_ac", "krippendorff_alpha", "fleiss_kappa", "cohen_kappa"):
        value = cells[key].value
        assert isinstance(value, float)
        assert pooled[key].startswith(f"{value:.3f}".replace("-", "\u2212"))


def test_accuracy_of_planted_answers(answered: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three of four answers are right and all cite the right page."""
    at = switch(results(answered, monkeypatch, "Otters"), "Accuracy and effort")
    humans = row(frame(at, "side", "accuracy", "page_f1"), "side", "Humans")
    assert humans["accuracy"].startswith("75.0–")
    assert humans["page_f1"].startswith("1.000")
    assert (humans["attempts"], humans["tasks"]) == ("4", "2")


def test_recheck_lists_hasty_verdicts(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card is computed once it is opened: an earlier version took grades 0.1 s after pages."""
    with monkeypatch.context() as earlier_version:
        earlier_version.setattr(recorder, "check_seen", lambda *_, **__: None)
        earlier_version.setattr(planted_results, "as_on_screen", lambda _, payload: payload)
        plant_grades(services)
    at = results(services, monkeypatch, GRADES)
    assert "Verdicts given" not in words(at)
    at.session_state["recheck"] = True
    at.run()
    assert not at.exception
    assert "Verdicts given in under 0.4 s" in words(at)


def test_numbers_are_grouped_by_limits(answered: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on the command line; a wrong limit is a sentence, and the options stay."""
    at = switch(results(answered, monkeypatch, "Otters"), METRICS)
    at = at.selectbox(key="by").set_value("question_words").run()
    at = at.text_input(key="by-limits-question_words").set_value("1, 100").run()
    assert not at.exception
    groups = frame(at, "group", "accuracy")["group"]
    assert "1–99" in set(groups)
    at = at.text_input(key="by-limits-question_words").set_value("1, many").run()
    assert "'many' is not a number" in at.error[0].value
    assert at.selectbox(key="by").value == "question_words"
    assert frame(at, "side", "accuracy") is not None, "the report stays"
    at = at.selectbox(key="by").set_value("domain").run()
    assert not [box for box in at.text_input if "limits" in str(box.key)]


def test_vectors_are_uploaded(
    answered: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Near duplicates of questions go by them; a bad row is listed, a bad file is a sentence."""
    with answered.workspace.engine.connect() as connection:
        records = connection.execute(select(Task.record)).scalars()
        questions = sorted({str(record["question"]) for record in records})
    rows = [{"text": text, "vector": [1.0, 0.01 * n]} for n, text in enumerate(questions)]
    path = tmp_path / "vectors.parquet"
    rows.append({"text": "other", "vector": [1.0, 2.0, 3.0]})
    pq.write_table(pa.Table.from_pylist(rows).replace_schema_metadata({"model": "e5"}), path)
    at = switch(results(answered, monkeypatch, "Otters"), METRICS)
    upload = ("vectors.parquet", path.read_bytes(), "application/octet-stream")
    at = at.file_uploader(key="vectors-file").set_value(upload).run()
    assert not at.exception and not at.error
    assert "Vectoriser of drift: e5" in words(at)
    assert "1 vector: of another length than the others (rows: 3)" in words(at)
    assert len(list((answered.workspace.cache_dir / "vectors").iterdir())) == 1
    upload = ("other.parquet", b"no parquet", "application/octet-stream")
    at = at.file_uploader(key="vectors-file").set_value(upload).run()
    (error,) = at.error
    assert "other.parquet" in error.value and str(answered.workspace.root) not in error.value


def test_the_gold_that_counts_is_chosen(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Offered once something is decided; what nobody had right is right as alma has it."""
    case = under_review(services, take=False)
    at = switch(results(services, monkeypatch, "Otters"), "Accuracy and effort")
    assert "gold" not in [box.key for box in at.selectbox]
    picks = {"answer": Pick("side", case.alma), "evidence": Pick("side", case.alma)}
    services.reviews.decide(
        case.task, "sven", picks, "", current_version(services, case.task), "decided"
    )
    at = switch(results(services, monkeypatch, "Otters"), "Accuracy and effort")
    humans = row(frame(at, "side", "accuracy", "page_f1"), "side", "Humans")
    assert humans["accuracy"].startswith("0.0–"), "the tasks' own gold, unless another is chosen"
    at = at.selectbox(key="gold").set_value("adjudicated").run()
    assert not at.exception
    humans = row(frame(at, "side", "accuracy", "page_f1"), "side", "Humans")
    assert humans["accuracy"].startswith("50.0–"), "alma has the gold's numbers, bruno has not"
    assert humans["page_f1"].startswith("0.500"), "alma cited page 1, bruno page 2"
    assert "which 1 of 2 tasks have" in words(at)
    assert "1 task: without gold decided in review" in words(at)


def test_people_are_pseudonymous_until_names_are_requested(
    answered: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By annotator: pseudonyms first, names with the toggle, pseudonyms again without it."""
    at = switch(results(answered, monkeypatch, "Otters"), "Accuracy and effort")
    at = at.toggle(key="people").set_value(True).run()
    participants = set(frame(at, "side", "accuracy")["side"])
    assert {"annotator-01", "annotator-02"} <= participants
    assert not {"alma", "bruno"} & participants
    at = at.toggle(key="names").set_value(True).run()
    assert {"alma", "bruno"} <= set(frame(at, "side", "accuracy")["side"])
    at = at.toggle(key="names").set_value(False).run()
    assert not {"alma", "bruno"} & set(frame(at, "side", "accuracy")["side"])


def test_hostile_names_stay_text(graded: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names with markup are shown in tables as they are, and never reach a label unescaped."""
    at = results(graded, monkeypatch, GRADES)
    agreement_table = frame(at, "group", "percent_agreement", "gwet_ac")
    assert DOMAIN in set(agreement_table["group"])
    for piece in ("<script>", "<b>x", "**bold", "**otters", ":red[", "](javascript"):
        assert piece not in words(at), piece


def test_results_are_computed_once_for_everybody(
    answered: Services, monkeypatch: pytest.MonkeyPatch, computed_reports: list[str]
) -> None:
    """A second session and a second look cost nothing; each view is one computation."""
    at = switch(results(answered, monkeypatch, "Otters"), "Accuracy and effort")
    switch(at, "Agreement")
    switch(results(answered, monkeypatch, "Otters"), "Accuracy and effort")
    assert sorted(computed_reports) == ["agreement", "metrics"]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[AttemptHead]:
    """The attempts whose events were read for a report."""
    return note_events_read(monkeypatch)


def test_options_tabs_and_restarts_compute_nothing_again(
    answered: Services, monkeypatch: pytest.MonkeyPatch, read: list[AttemptHead]
) -> None:
    """Agreement reads the work, for metrics too; options choose and sum up what was computed."""
    at = switch(results(answered, monkeypatch, "Otters"), METRICS)
    assert len(read) == len({head.id for head in read}) == 4, (
        "once for both reports, two people at two tasks"
    )
    read.clear()
    at = at.selectbox(key="by").set_value("batch").run()
    at = at.selectbox(key="by-2").set_value("hop").run()
    assert "All" in {str(name) for name in frame(at, "hop=single page", "all")["group"]}
    at = at.selectbox(key="idle").set_value(120).run()
    at = at.toggle(key="people").set_value(True).run()
    at = at.toggle(key="names").set_value(True).run()
    at = at.toggle(key="intervals").set_value(False).run()
    assert not at.exception
    assert {"alma", "bruno"} <= set(frame(at, "side", "accuracy")["side"])
    at = switch(at, AGREEMENT).selectbox(key="groups").set_value("document").run()
    assert not at.exception
    assert at.dataframe
    answered.computations.pool.close()
    restarted_services = Services(Workspace.open(answered.workspace.root))
    replace_services(restarted_services)
    switch(results(restarted_services, monkeypatch, "Otters"), METRICS)
    assert read == []


def test_waiting_people_see_what_is_being_computed() -> None:
    """And how far it is, in words."""
    title = "Computing agreement of Otters"
    assert progress_bar_state(title, None) == (0.0, f"{title} …")
    assert progress_bar_state(title, (1_200, 20_000, "attempts read")) == (
        0.06,
        f"{title}: 1,200 of 20,000 attempts read",
    )
    assert progress_bar_state(title, (31, 0, "intervals drawn")) == (
        1.0,
        f"{title}: 31 intervals drawn",
    )


def test_new_work_shows_on_reload(
    answered: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results that were shown before are not shown again once there is more to count."""
    at = switch(results(answered, monkeypatch, "Otters"), "Accuracy and effort")
    assert list(frame(at, "side", "accuracy")["side"]) == ["Humans"]
    run = tmp_path / "run.jsonl"
    rows = [{"id": key, "answer": ["secret gold answer"], "citations": []} for key in ("q1", "q2")]
    run.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    import_run(answered.workspace, run, campaign="Otters", system="agent-x")
    at = switch(results(answered, monkeypatch, "Otters"), "Accuracy and effort")
    agent = row(frame(at, "side", "accuracy"), "side", "agent-x")
    assert agent["accuracy"].startswith("100.0")
    at = at.multiselect(key="compare-Otters").set_value([]).run()
    assert list(frame(at, "side", "accuracy")["side"]) == ["Humans"]


def test_another_campaign_is_shown_alongside(
    answered: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its people are a line of their own in the same tables."""
    at = switch(results(answered, monkeypatch, "Otters"), METRICS)
    at = at.multiselect(key="beside-Otters").set_value(["Otters given"]).run()
    assert not at.exception
    participants = list(frame(at, "side", "accuracy")["side"])
    assert participants == ["Humans · Otters", "Humans · Otters given"]


def test_verdicts_from_elsewhere_decide_what_is_right(
    answered: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A set is chosen beside judging campaigns; more verdicts in it are seen at once."""
    path = tmp_path / "labels.jsonl"

    def import_verdict(task: str, verdict: str) -> AppTest:
        line = {"task": task, "system": "alma", "verdict": verdict}
        path.write_text(json.dumps(line), encoding="utf-8")
        import_verdicts(answered.workspace, path, campaign="Otters", name="experts")
        return switch(results(answered, monkeypatch, "Otters"), METRICS)

    at = import_verdict("q1", "wrong")
    choice = next(box for box in at.selectbox if box.label == "Verdicts of")
    before = row(frame(at, "side", "accuracy"), "side", "Humans")["accuracy"]
    at = choice.select(("experts", 1)).run()
    assert not at.exception
    by_set = row(frame(at, "side", "accuracy"), "side", "Humans")["accuracy"]
    assert by_set != before
    at = import_verdict("q2", "correct")
    choice = next(box for box in at.selectbox if box.label == "Verdicts of")
    assert choice.options == ["experts (2 imported)"]


def test_empty_report_is_explained(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing submitted: a sentence with what to do next in either view, and no table."""
    at = results(services, monkeypatch, "Otters")
    assert "Assign its batches under Administration" in at.info[0].value
    assert not at.dataframe
    at = switch(at, AGREEMENT)
    assert "submitted anything" in at.info[0].value
    assert not at.dataframe


def test_a_refused_report_is_a_sentence(
    answered: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A typed error becomes its sentence, its signs escaped; there is no stack trace."""

    def refuse(*_arguments: Any, **_choices: Any) -> Any:
        raise PagetrailError("Task **t** has no <b>gold</b>.")

    monkeypatch.setattr(results_compute, "metrics", refuse)
    at = results(answered, monkeypatch, "Otters")
    assert [error.value for error in at.error] == [r"Task \*\*t\*\* has no \<b\>gold\</b\>."]


def test_an_empty_report_is_drawn(answered: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report without sections and with nothing left out is a page all the same."""
    monkeypatch.setattr(results_compute, "agreement", lambda *_, **__: report())
    at = results(answered, monkeypatch, "Otters")
    assert "Nothing was left out" in words(at)


def test_a_runs_trajectory_opens(
    answered: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An imported run without times has its own page like a person's attempt."""
    run = tmp_path / "run.jsonl"
    row_ = {
        "id": "q1",
        "answer": ["secret gold answer"],
        "citations": [{"file": "report.pdf", "page": 1}],
        "search_history": [{"iteration": 1, "query": "otters", "num_results": 2}],
        "model": "model <b>x</b>",
    }
    run.write_text(json.dumps(row_), encoding="utf-8")
    import_run(answered.workspace, run, campaign="Otters", system="agent-x")
    at = at_screen(answered, "sven", monkeypatch, "trajectory").run()
    assert not at.exception
    assert "agent-x" in at.dataframe[0].value.to_string()
    with answered.workspace.engine.connect() as connection:
        attempt_id = connection.execute(
            select(Attempt.id).join(User, User.id == Attempt.user_id).where(User.name == "agent-x")
        ).scalar_one()
    at.query_params["attempt"] = attempt_id
    at = at.run()
    assert not at.exception
    steps_text = "\n".join(str(entry) for entry in at.dataframe[0].value["What"])
    assert "otters" in steps_text
    assert "secret gold answer" in steps_text


def test_first_or_final_submissions(answered: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """First ones unless told otherwise, in both reports."""
    read: list[tuple[str, str]] = []
    for kind in ("agreement", "metrics"):
        build = getattr(results_compute, kind)

        def spied(source: Any, report_options: Any, *, build: Any = build, kind: str = kind) -> Any:
            read.append((kind, source.submission))
            return build(source, report_options)

        monkeypatch.setattr(results_compute, kind, spied)
    at = results(answered, monkeypatch, "Otters")
    assert set(read) == {("metrics", "first")}, "a campaign of answers opens on accuracy"
    at = switch(switch(at, AGREEMENT), METRICS)
    assert {("agreement", "first"), ("metrics", "first")} == set(read)
    at = at.selectbox(key="submission").set_value("final").run()
    assert not at.exception
    switch(at, AGREEMENT)
    assert {("metrics", "final"), ("agreement", "final")} <= set(read)


def test_annotators_are_resampled_if_there_are_enough(
    answered: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With two people it is not offered, and the notes say why; with enough it is."""
    at = switch(results(answered, monkeypatch, "Otters"), METRICS)
    assert "resample" not in [box.key for box in at.selectbox]
    assert "needs at least 5 of them; these results have 2 annotators" in words(at)
    monkeypatch.setattr("pagetrail.app.results.report_options.FEWEST_ANNOTATORS", 2)
    at = switch(results(answered, monkeypatch, "Otters"), METRICS)
    at = at.selectbox(key="resample").set_value("tasks_and_annotators").run()
    assert not at.exception
    assert "tasks and annotators resampled" in words(at)
