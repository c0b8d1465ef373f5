"""Samples drawn into campaigns: their strata, their seed, and what follows from judging them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from sqlalchemy import func, select, update
from typer.testing import CliRunner

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.errors import ConflictError, InputFileError, NotFoundError, PagetrailError
from pagetrail.annotation.tasks.blind_judging import question_of, seeded_keys
from pagetrail.annotation.tasks.stratified_sampling import frame_digest
from pagetrail.app.cli.main import app
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.judging.sampled_answers import (
    JudgedSample,
    judged_answers,
    judged_sample,
    sample_section,
)
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Table
from pagetrail.exports.run import export
from pagetrail.exports.sampling import SampleRequest, draw_sample
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import ensure_attempts
from pagetrail.storage.campaigns.lookup import get_open_campaign
from pagetrail.storage.campaigns.samples import StoredSample
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.location import DATABASE_URL, address_wanted
from pagetrail.storage.database.tables import Sample, SampledTask, Task, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.verdicts.importer import import_verdicts
from pagetrail.storage.snapshot.snapshot import snapshot
from tests.storage.task_data import add_people, register_documents, task, write_jsonl
from tests.support.built_once import built_once, closed
from tests.support.factory import start_clock
from tests.support.postgresql import new_database

CAMPAIGN, JUDGING, VERDICTS = "Baseline", "Judging", "gpt-judge"
SYSTEMS = ("alpha", "beta")
TASKS = 60


def answer_of(system: str, number: int) -> str:
    """Right for one task in five; else something that a judge decides."""
    return str(number) if number % 5 == 0 else f"about {number}" if number % 3 else "unknown"


def judge_says(system: str, number: int) -> float:
    """The judge: right where it says "about", with mistakes at every seventh task."""
    right = answer_of(system, number) != "unknown"
    return float(right != (number % 7 == 0))


def build_answered(folder: Path) -> Workspace:
    """Two systems have answered 60 tasks in two categories, and a judge has judged the answers."""
    workspace = Workspace.create(folder / "ws", address_wanted())
    register_documents(workspace)
    rows = [task(n, category="tables" if n % 2 else "text") for n in range(TASKS)]
    import_tasks(workspace, write_jsonl(folder / "tasks.jsonl", rows), campaign=CAMPAIGN)
    for system in SYSTEMS:
        run = [
            {"id": f"q{n}", "answer": [answer_of(system, n)], "citations": []} for n in range(TASKS)
        ]
        file = write_jsonl(folder / f"{system}.jsonl", run)
        import_run(workspace, file, campaign=CAMPAIGN, system=system)
    verdicts = [
        {"task": f"q{n}", "system": system, "verdict": judge_says(system, n)}
        for n in range(TASKS)
        for system in SYSTEMS
    ]
    file = write_jsonl(folder / "verdicts.jsonl", verdicts)
    import_verdicts(workspace, file, campaign=CAMPAIGN, name=VERDICTS)
    return workspace


@pytest.fixture
def answered(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Workspace]:
    """A copy of the answered workspace; with the parameter ``postgresql`` one made there."""
    if getattr(request, "param", "sqlite") == "postgresql":
        monkeypatch.setenv(DATABASE_URL, new_database())
        workspace = build_answered(tmp_path)
    else:
        built = built_once(tmp_path_factory, "sampled answers", closed(build_answered))
        workspace = Workspace.open(copytree(built / "ws", tmp_path / "ws"))
    yield workspace
    workspace.engine.dispose()


def request(**changes: Any) -> SampleRequest:
    """Forty answers by verdict, system and category."""
    settings: dict[str, Any] = {
        "into": JUDGING,
        "n": 40,
        "source": CAMPAIGN,
        "seed": 3,
        "fields": ("verdict", "system", "category"),
    }
    return SampleRequest(**(settings | changes))


def people_judge(workspace: Workspace, *, first: int = 1_000) -> int:
    """Ada judges the first tasks of each batch: right if the answer says "about"."""
    if "Ada" not in {name for (name,) in _names(workspace)}:
        add_people(workspace, ["Ada"])
    assign(workspace, JUDGING, ["Ada"])
    clock, judged = start_clock(), 0
    recorder = Recorder(SqlEventLog(workspace.engine), Corpus(workspace), clock)
    for batch in assignments(workspace.engine, _id_of_ada(workspace)):
        ensure_attempts(workspace.engine, batch.assignment_id, clock)
        for row in queries.batch_tasks(workspace.engine, batch.assignment_id):
            attempt = queries.attempt(workspace.engine, row.attempt_id)
            if judged >= first:
                continue
            answer = attempt.record["prediction"]["answer"][0]
            judgement = "incorrect" if answer == "unknown" else "correct"
            payloads: list[ev.Payload] = [ev.FieldSet(field="verdict", value=judgement)]
            if judgement == "incorrect":
                payloads.append(ev.FieldSet(field="issue", value="refusal"))
            for number, payload in enumerate([*payloads, ev.Submitted(outcome="completed")]):
                command = Command(f"{row.attempt_id}-{number}", payload)
                assert not recorder.record(attempt.context(), [command]).refusals
            judged += 1
    return judged


def _names(workspace: Workspace) -> list[Any]:
    with workspace.engine.connect() as connection:
        return list(connection.execute(select(User.name)))


def _id_of_ada(workspace: Workspace) -> int:
    with workspace.engine.connect() as connection:
        return int(connection.execute(select(User.id).where(User.name == "Ada")).scalar_one())


def stored(workspace: Workspace, campaign: str = JUDGING) -> StoredSample:
    """The sample of a campaign."""
    with snapshot(workspace) as database:
        sample = database.sample(database.campaign(campaign).id)
    assert sample is not None
    return sample


def sample_of(workspace: Workspace) -> JudgedSample:
    """The sample with people's judgements."""
    with open_source(workspace, CAMPAIGN) as source:
        sample = judged_sample(source, JUDGING)
    assert sample is not None
    return sample


@pytest.mark.parametrize("answered", ["sqlite", "postgresql"], indirect=True)
def test_answers_are_drawn_in_proportion_and_stored(answered: Workspace) -> None:
    """Eight strata of the 96 answers that are not exactly right, and the chance of each."""
    report = draw_sample(answered, request())
    assert report.left_out == {"exact_match": 24}
    assert report.n_drawn == 40 and report.imported is not None and report.imported.imported == 40
    sizes = [(stratum.size, len(stratum.keys)) for stratum in report.strata]
    assert sizes == [(15, 6), (14, 6), (15, 6), (14, 6), (9, 4), (10, 4), (9, 4), (10, 4)]
    sample = stored(answered)
    design = sample.design
    assert (design.kind, design.source, design.verdicts, design.seed) == (
        "predictions",
        CAMPAIGN,
        VERDICTS,
        3,
    )
    assert sum(design.strata.values()) == 96
    key = report.strata[0].keys[0]
    assert sample.tasks[key] == ("correct", "alpha", "tables")
    assert sample.inclusion_probability(key) == 6 / 15
    assert sample.inclusion_probability("q1") is None


def test_ids_say_nothing_of_the_system(answered: Workspace) -> None:
    """Whoever knows seed, systems and program guesses a third less than half of them right."""
    draw_sample(answered, request())
    with snapshot(answered) as database:
        tasks = {row.key: row.record for row in database.tasks(database.campaign(JUDGING).id)}
    for seed in (3, 7):
        guesses = {
            key: system
            for question in map(question_of, tasks)
            for system, key in seeded_keys(question, SYSTEMS, seed).items()
        }
        right = [guesses[key] == record["prediction"]["system"] for key, record in tasks.items()]
        assert sum(right) < len(right)


def test_an_earlier_sample_keeps_its_ids(answered: Workspace) -> None:
    """A sample whose ids follow from its seed is continued in its own numbering."""
    draw_sample(answered, request(n=20))
    numbered = give_seeded_ids(answered)
    before = set(stored(answered).tasks)
    draw_sample(answered, request(n=20))
    with snapshot(answered) as database:
        tasks = {row.key: row.record for row in database.tasks(database.campaign(JUDGING).id)}
    assert before < set(tasks) and len(tasks) == 40
    assert all(
        numbered[question_of(key), record["prediction"]["system"]] == key
        for key, record in tasks.items()
    )


def give_seeded_ids(workspace: Workspace) -> dict[tuple[str, str], str]:
    """Give the drawn tasks the ids that an earlier version did; (task, system) → id of all."""
    with open_source(workspace, CAMPAIGN) as source:
        answers, _ = judged_answers(source, VERDICTS)
        categories = {
            row.key: row.record["document_category"]
            for row in source.database.tasks(source.campaign.id)
        }
    systems = defaultdict(set)
    for answer in answers:
        systems[answer.attempt.task].add(answer.attempt.system)
    numbered = {
        (task, system): key
        for task, names in systems.items()
        for system, key in seeded_keys(task, names, 3).items()
    }
    strata = {
        numbered[answer.key]: (
            str(answer.verdict),
            answer.attempt.system,
            categories[answer.attempt.task],
        )
        for answer in answers
    }
    with write_transaction(workspace.engine) as connection:
        campaign = get_open_campaign(connection, JUDGING)
        tasks = connection.execute(
            select(Task.id, Task.key, Task.record).where(Task.campaign_id == campaign.id)
        ).all()
        for row in tasks:  # "=" keeps a new id from being an old one of another task
            new = numbered[question_of(row.key), row.record["prediction"]["system"]]
            for column in (Task.key, SampledTask.task):
                of_campaign = column == row.key
                if column is Task.key:
                    of_campaign &= Task.campaign_id == campaign.id
                change = update(column.class_).where(of_campaign)
                connection.execute(change.values({column: f"={new}"}))
        for column in (Task.key, SampledTask.task):
            change = update(column.class_).where(column.startswith("="))
            connection.execute(change.values({column: func.substr(column, 2)}))
        connection.execute(update(Sample).values(population=frame_digest(strata)))
    return numbered


def test_judges_see_a_numbered_answer_without_its_system(answered: Workspace) -> None:
    """A task per drawn answer, with the gold and the category of its question."""
    draw_sample(answered, request())
    with snapshot(answered) as database:
        tasks = {row.key: row.record for row in database.tasks(database.campaign(JUDGING).id)}
    assert set(tasks) == set(stored(answered).tasks)
    key = next(iter(tasks))
    number = int(key.removeprefix("q").split("#")[0])
    record = tasks[key]
    assert record["answer_variants"] == [[str(number)]]
    assert record["document_category"] == ("tables" if number % 2 else "text")
    system = record["prediction"]["system"]
    assert record["prediction"]["answer"] == [answer_of(system, number)]
    assert "steps" not in record


def test_the_same_seed_draws_the_same_answers(answered: Workspace) -> None:
    """Another seed draws others; a dry run stores nothing."""
    first, second, other = (
        [stratum.keys for stratum in draw_sample(answered, request(seed=seed), dry=True).strata]
        for seed in (3, 3, 4)
    )
    assert first == second != other
    with snapshot(answered) as database, pytest.raises(NotFoundError):
        database.campaign(JUDGING)


def test_two_draws_are_one_draw_of_both(answered: Workspace) -> None:
    """Twenty and twenty give the forty that one draw gives."""
    at_once = draw_sample(answered, request(), dry=True)
    draw_sample(answered, request(n=20))
    report = draw_sample(answered, request(n=20))
    assert [stratum.before for stratum in report.strata] == [3, 3, 3, 3, 2, 2, 2, 2]
    sample = stored(answered)
    assert sample.draws == 2
    assert set(sample.tasks) == {key for stratum in at_once.strata for key in stratum.keys}


def test_equal_allocation_draws_as_many_of_each_verdict(answered: Workspace) -> None:
    """Twenty of 58 and twenty of 38."""
    report = draw_sample(answered, request(fields=("verdict",), allocation="equal"), dry=True)
    assert [(s.values, s.size, len(s.keys)) for s in report.strata] == [
        (("correct",), 58, 20),
        (("incorrect",), 38, 20),
    ]


def test_a_sample_of_another_design_is_refused(answered: Workspace) -> None:
    """The message names what differs; the campaign keeps its sample."""
    draw_sample(answered, request(n=20))
    with pytest.raises(ConflictError, match="seed: 3, now 4"):
        draw_sample(answered, request(n=5, seed=4))
    with pytest.raises(ConflictError, match="strata: verdict, system, category, now system"):
        draw_sample(answered, request(n=5, fields=("system",)))
    assert stored(answered).draws == 1


def test_answers_that_came_later_need_another_campaign(answered: Workspace, tmp_path: Path) -> None:
    """A third system changes what the sample was drawn from."""
    draw_sample(answered, request(n=20, fields=("system",), verdicts=""))
    run = [{"id": f"q{n}", "answer": ["about"], "citations": []} for n in range(TASKS)]
    import_run(
        answered, write_jsonl(tmp_path / "gamma.jsonl", run), campaign=CAMPAIGN, system="gamma"
    )
    with pytest.raises(ConflictError, match="has changed since"):
        draw_sample(answered, request(n=20, fields=("system",), verdicts=""))


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"fields": ("colour",)}, NotFoundError, "No field 'colour'.*system, verdict"),
        ({"n": 5}, PagetrailError, "There are 8 strata, and 5 to draw leave some without any"),
        ({"source": "Nothing"}, NotFoundError, "no campaign 'Nothing'"),
        ({"verdicts": "other"}, NotFoundError, "other"),
        ({"allocation": "neyman"}, PagetrailError, "needs judgements of an earlier draw"),
        ({"source": None, "kind": "tasks"}, PagetrailError, "Name the campaign to draw from"),
    ],
)
def test_a_draw_that_cannot_be_made_says_why(
    answered: Workspace, changes: dict[str, Any], error: type[Exception], message: str
) -> None:
    """Nothing is stored."""
    with pytest.raises(error, match=message):
        draw_sample(answered, request(**changes))


def test_everything_is_drawn_once(answered: Workspace) -> None:
    """All 96, and then nothing is left."""
    report = draw_sample(answered, request(n=200))
    assert report.n_drawn == 96
    with pytest.raises(PagetrailError, match="all 96 are drawn"):
        draw_sample(answered, request(n=1))


def test_judgements_give_the_corrected_accuracy(answered: Workspace, tmp_path: Path) -> None:
    """All judged: the estimate is the accuracy by people, for all and for each system."""
    draw_sample(answered, request(n=96))
    people_judge(answered)
    sample = sample_of(answered)
    right = sum(n % 5 != 0 and n % 3 != 0 for n in range(TASKS)) * 2
    assert sample.accuracy().value == pytest.approx(right / 96, abs=1e-12)
    assert sample.missing == 0
    for system in SYSTEMS:
        assert sample.accuracy(system).value == pytest.approx(right / 96, abs=1e-12)


def test_part_of_the_judgements_says_what_to_judge_next(
    answered: Workspace, tmp_path: Path
) -> None:
    """Judged, drawn and all answers by stratum; wider than after more, which Neyman places best."""
    draw_sample(answered, request(fields=("verdict",), allocation="equal"))
    assert people_judge(answered, first=30) == 30
    sample = sample_of(answered)
    section = sample_section(sample)
    _, strata, widths = section.parts
    accuracy = sample.accuracy()
    assert (len(sample.answers), accuracy.counts["judged"]) == (96, 30)
    assert accuracy.interval is not None
    assert accuracy.interval[0] <= 64 / 96 <= accuracy.interval[1]
    rows = {row.cells["field_0"].value: row.cells for row in strata.rows}
    assert [rows[v]["size"].value for v in ("correct", "incorrect")] == [58, 38]
    assert rows["correct"]["inclusion"].value == pytest.approx(20 / 58)
    assert sum(cells["judged"].value for cells in rows.values()) == 30
    assert sum(cells["more"].value for cells in rows.values()) == 66
    expected = [(row.cells["more"].value, row.cells["neyman"].value) for row in widths.rows]
    assert [more for more, _ in expected] == [0, 50, 66]
    assert expected[0][1] > expected[1][1] > expected[2][1]


@pytest.mark.parametrize(
    ("verdicts", "judge"), [(None, VERDICTS), ("", "Answer rule")], ids=["imported", "rule"]
)
def test_reports_give_the_corrected_accuracy_once(
    answered: Workspace, verdicts: str | None, judge: str
) -> None:
    """By the judge of the sample, also where that is the answer rule; with exact matches."""
    changes = {} if verdicts is None else {"verdicts": verdicts}
    draw_sample(answered, request(fields=("verdict",), allocation="equal", **changes))
    people_judge(answered)
    sample = sample_of(answered)
    with open_source(answered, CAMPAIGN) as source:
        report = metrics(source, MetricsOptions(judgements=JUDGING, replicates=50))
    tables = {p.key: p for s in report.sections for p in s.parts if isinstance(p, Table)}
    assert "sample-accuracy" not in tables and "sample-strata" in tables
    corrected = {
        row.cells["side"].value: row.cells["corrected"].value
        for row in tables["judges-corrected"].rows
        if row.cells["judge"].value == judge
    }
    for system in SYSTEMS:
        theta = sample.accuracy(system).value
        assert theta is not None
        assert corrected[system] == pytest.approx(12 / TASKS + 48 / TASKS * theta)
    (agreement,) = (
        row.cells for row in tables["judges-agreement"].rows if row.cells["judge"].value == judge
    )
    # The rule errs in none of the answers that it decides, and finds none of these wrong.
    reason = agreement["kappa"].reason
    assert reason == (None if judge == VERDICTS else "no_variation")


def test_undecided_answers_are_drawn_with_a_share_of_the_decided(answered: Workspace) -> None:
    """Every undecided answer, ten decided ones; a second draw adds five more of these."""
    drawn = draw_sample(answered, request(n=10, fields=(), allocation="undecided"))
    assert drawn.fields == ("verdict",) and drawn.verdicts == ""
    (decided, undecided) = drawn.strata
    assert (decided.values, len(decided.keys)) == (("correct",), 10)
    assert undecided.values == ("undecided",)
    assert len(undecided.keys) == undecided.size == 96 - decided.size > 0
    again = draw_sample(answered, request(n=5, fields=(), allocation="undecided"))
    assert [len(stratum.keys) for stratum in again.strata] == [5, 0]
    assert [stratum.n_drawn for stratum in again.strata] == [15, undecided.size]
    people_judge(answered)
    by_verdict, *_ = sample_section(sample_of(answered)).parts
    assert isinstance(by_verdict, Table)
    rows = {row.cells["verdict"].value: row.cells for row in by_verdict.rows}
    assert (rows["correct"]["judged"].value, rows["correct"]["answers"].value) == (15, decided.size)
    assert rows["undecided"]["judged"].value == undecided.size


@pytest.mark.parametrize("changes", [{"verdicts": VERDICTS}, {"kind": "tasks"}])
def test_only_the_rule_leaves_answers_undecided(
    answered: Workspace, changes: dict[str, Any]
) -> None:
    """A judge's verdicts and tasks have no such stratum."""
    with pytest.raises(PagetrailError, match="Only the answer rule"):
        draw_sample(answered, request(allocation="undecided", **changes))


def test_corrected_accuracy_is_the_plain_stratified_estimate(answered: Workspace) -> None:
    """Σ N_h ȳ_h / N written out, for both systems together; raw is a lower end."""
    draw_sample(answered, request(n=9, fields=(), allocation="undecided"))
    people_judge(answered, first=40)
    sample = sample_of(answered)
    with open_source(answered, CAMPAIGN) as source:
        report = metrics(source, MetricsOptions(judgements=JUDGING, replicates=50))
    (table,) = (
        p
        for s in report.sections
        for p in s.parts
        if isinstance(p, Table) and p.key == "judges-corrected"
    )
    total = 0.0
    for values, size in sample.stored.design.strata.items():
        judged = [row.judgement for row in sample.calibration.rows if row.stratum == values]
        assert judged
        total += size * sum(judged) / len(judged)
    exact = sum(answer_of(system, n) == str(n) for system in SYSTEMS for n in range(TASKS))
    rows = [row.cells for row in table.rows if row.cells["judge"].value == "Answer rule"]
    estimates = [float(cells["corrected"].value) * TASKS for cells in rows]
    assert sum(estimates) == pytest.approx(exact + total)
    for cells in rows:
        raw = cells["raw"]
        assert raw.undecided and raw.upper is not None and raw.value is not None
        assert raw.upper == pytest.approx(float(raw.value) + raw.undecided / TASKS)


def test_a_second_draw_takes_the_strata_that_need_it(answered: Workspace, tmp_path: Path) -> None:
    """Neyman's allocation of 20 more, as planned."""
    draw_sample(answered, request(fields=("verdict",), allocation="equal"))
    people_judge(answered)
    plan = sample_of(answered).next_draw(20)
    report = draw_sample(answered, request(n=20, fields=("verdict",), allocation="neyman"))
    assert {stratum.values: len(stratum.keys) for stratum in report.strata} == plan
    assert sum(plan.values()) == 20
    assert len(stored(answered).tasks) == 60


def test_tasks_are_drawn_from_a_pool(answered: Workspace) -> None:
    """Ten tasks of two categories, with the pool's protocol and gold."""
    report = draw_sample(
        answered, request(into="Part", kind="tasks", n=10, fields=("category", "document"))
    )
    assert report.kind == "tasks" and report.n_drawn == 10
    assert Counter(stratum.values[0] for stratum in report.strata)["tables"]
    with snapshot(answered) as database:
        part, whole = database.campaign("Part"), database.campaign(CAMPAIGN)
        records = {row.key: row.record for row in database.tasks(whole.id)}
        drawn = {row.key: row.record for row in database.tasks(part.id)}
    assert part.protocol.name == whole.protocol.name
    assert all(records[key] == record for key, record in drawn.items())
    assert stored(answered, "Part").design.kind == "tasks"


def test_pages_are_drawn_by_fields_of_a_table(answered: Workspace, tmp_path: Path) -> None:
    """Pages by domain of their document; rows without a page of the collection are counted."""
    table = tmp_path / "pages.csv"
    table.write_text(
        "document,page,domain\nreport.pdf,,energy\nGröße & Gewicht.pdf,1.0,health\n"
        "report.pdf,99,none\nmissing.pdf,,law\n",
        encoding="utf-8",
    )
    report = draw_sample(
        answered,
        request(into="Tagging", source=None, n=4, fields=("domain", "document"), page_fields=table),
    )
    assert [(stratum.values, stratum.size, len(stratum.keys)) for stratum in report.strata] == [
        (("energy", "report.pdf"), 9, 3),
        (("health", "Größe & Gewicht.pdf"), 1, 1),
    ]
    assert report.left_out == {"unknown_page": 2}
    with snapshot(answered) as database:
        tagging = database.campaign("Tagging")
        records = [row.record for row in database.tasks(tagging.id)]
    assert tagging.protocol.name == "relevance"
    health = next(record for record in records if record["domain"] == "health")
    assert health["candidates"] == [{"document": "Größe & Gewicht.pdf", "page": 1}]
    assert health["id"] == "Größe & Gewicht.pdf, p. 1"
    table.write_text("document,domain\nreport.pdf,energy,gas\n")
    with pytest.raises(InputFileError, match=r"pages\.csv cannot be used: line 2: has 3 cells"):
        draw_sample(
            answered, request(into="Other", source=None, fields=("domain",), page_fields=table)
        )


def test_the_command_draws_and_the_report_shows_the_sample(
    answered: Workspace, tmp_path: Path
) -> None:
    """From `sample` to the section in `metrics`, and the probabilities in the judgements."""
    ws = str(answered.root)
    command = ["sample", ws, "--from", CAMPAIGN, "--into", JUDGING, "--n", "40", "--json"]
    command += ["--strata", "verdict,system,category", "--seed", "3", "--set", "overlap=1"]
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    drawn = json.loads(run.stdout)
    assert drawn["drawn"] == 40
    assert drawn["strata"][0]["values"] == {
        "verdict": "correct",
        "system": "alpha",
        "category": "tables",
    }
    assert "Not drawn from: exact_match" in run.stderr
    # Nobody is there yet who could judge, so the plan has nothing but batches to fill.
    assert drawn["planned"]["created"] == [] and drawn["planned"]["shortfall"]
    people_judge(answered)
    report = ["metrics", ws, "--campaign", CAMPAIGN, "--judgements", JUDGING, "--json"]
    run = CliRunner().invoke(app, [*report, "--out", str(tmp_path / "m"), "--replicates", "2"])
    assert run.exit_code == 0, run.output
    sections = {section["title"] for section in json.loads(run.stdout)["sections"]}
    assert "Judged sample" in sections
    export(answered, JUDGING, "judgements", tmp_path / "judgements")
    (file,) = (tmp_path / "judgements").glob("*.jsonl")
    row = json.loads(file.read_text(encoding="utf-8").splitlines()[0])
    assert row["stratum"]["verdict"] in ("correct", "incorrect")
    assert 0 < row["inclusion_probability"] < 1


def test_the_command_lists_judges_before_it_assigns(answered: Workspace) -> None:
    """People who may judge are listed, and nothing is assigned without --yes."""
    add_people(answered, ["Ada", "Bo"])
    command = ["sample", str(answered.root), "--from", CAMPAIGN, "--into", JUDGING, "--n", "10"]
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 0, run.output
    assert "Who would judge" in run.stderr and "Ada" in run.stderr
    assert "Nothing is assigned yet" in run.stderr
    assert not assignments(answered.engine, _id_of_ada(answered))
    run = CliRunner().invoke(app, [*command, "--yes"])
    assert run.exit_code == 0, run.output
    assert "Nothing is assigned yet" not in run.stderr
    assert len(assignments(answered.engine, _id_of_ada(answered))) == 2


def test_the_command_refuses_an_unknown_allocation(answered: Workspace) -> None:
    """The options are named."""
    command = ["sample", str(answered.root), "--into", "X", "--n", "1", "--allocation", "best"]
    run = CliRunner().invoke(app, command)
    assert run.exit_code == 2
    assert "proportional, equal" in run.stderr
