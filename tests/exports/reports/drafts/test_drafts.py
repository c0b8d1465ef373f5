"""From annotators' answers over a model's merge to gold, and what the report says of the drafts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import pagetrail
from pagetrail.annotation.events.review import MergeMethod
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review import Pick
from pagetrail.annotation.review.draft_use import difference
from pagetrail.annotation.statistics.clustered_mean import Mean
from pagetrail.annotation.statistics.wilson import wilson
from pagetrail.app.cli.main import app
from pagetrail.exports.run import export
from tests.storage.task_data import write_jsonl
from tests.support.review_campaign import Reviewed, campaign

NAME = "Random"
PROTOCOL = with_overrides(
    preset("search"),
    {"overlap": 2, "evidence.required": False, "answer.kind": "text", "answer.unanswerable": True},
)


def scripted_model(row: dict[str, Any]) -> dict[str, Any]:
    """In place of the model of ViDoRe V3's figure 22: merges the answers that name a number."""
    answers = row["proposed_answers"]
    correct = [any(character.isdigit() for character in answer) for answer in answers]
    merged = " / ".join(answer for answer, right in zip(answers, correct, strict=True) if right)
    return {
        "task": row["task"],
        "sources": row["sources"],
        "reasoning": f"{sum(correct)} of {len(answers)} answers name a number.",
        "information_in_pages": any(correct),
        "answer_correctness": correct,
        "reformulated_answer": merged or "I do not know",
    }


def answered(folder: Path, tasks: int = 6, **settings: Any) -> Reviewed:
    """Tasks on which Ada and Bo differ; Ada names a number, except in the last task."""
    records = [{"id": f"t{n}", "question": f"How many otters {n}?"} for n in range(1, tasks + 1)]
    reviewed = campaign(folder / "ws", with_overrides(PROTOCOL, settings), records)
    for task in range(1, tasks + 1):
        number = "none" if task == tasks else str(task)
        reviewed.answer(f"{task}-Ada", f"{number} otters", 1)
        reviewed.answer(f"{task}-Bo", "some otters", 2)
    return reviewed


def decide(
    reviewed: Reviewed, task: int, attempt: str, id_: str, evidence: MergeMethod = "union"
) -> None:
    """Take an answer, with everybody's evidence."""
    picks = {"answer": Pick("side", attempt), "evidence": Pick(evidence)}
    version = reviewed.current_version(task)
    reviewed.reviews.decide(task, "Sofia", picks, "", version, id_)


def run(*arguments: object) -> None:
    """A command that must succeed."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == 0, result.output


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON Lines file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_answers_are_merged_by_a_model_and_decided_by_a_reviewer(tmp_path: Path) -> None:
    """Export, model, import, review, exports and report, as docs/researchers.md has them."""
    reviewed = answered(tmp_path)
    ws = reviewed.workspace.root
    run("export", ws, "--campaign", NAME, "--format", "answers-to-merge", "--out", tmp_path / "out")
    rows = rows_of(tmp_path / "out" / "answers.jsonl")
    assert [row["task"] for row in rows] == [f"t{n}" for n in range(1, 7)]
    assert rows[0]["proposed_answers"] == ["1 otters", "some otters"]
    assert [answer["annotator"] for answer in rows[0]["answers"]] == ["p1", "p2"]
    assert rows[0]["answers"][0]["evidence"] == [{"document": "b.pdf", "page": 1}]
    assert rows[0]["sources"] == reviewed.reviews.streams.task_work(1).sources()

    merged = write_jsonl(tmp_path / "merged.jsonl", [scripted_model(row) for row in rows])
    for _ in range(2):
        run("import-drafts", ws, merged, "--campaign", NAME, "--model", "qwen", "--version", "1")
    for task in (1, 2, 3):
        decide(reviewed, task, f"draft:{task}", f"d{task}")
    decide(reviewed, 4, "4-Ada", "d4")
    decide(reviewed, 5, "5-Bo", "d5")
    decide(reviewed, 6, "draft:6", "d6", "none")

    export(reviewed.workspace, NAME, "adjudicated", tmp_path / "adjudicated")
    gold = {row["id"]: row for row in rows_of(tmp_path / "adjudicated" / "gold.jsonl")}
    assert gold["t1"]["answer_variants"] == [["1 otters"]]
    assert gold["t6"]["unanswerable"] is True
    (draft,) = gold["t5"]["adjudication"]["drafts"]
    assert (draft["model"], draft["version"], draft["visibility"]) == ("qwen", "1", "shown")
    assert [item["use"] for item in draft["items"]] == ["rejected"]
    export(reviewed.workspace, NAME, "gold", tmp_path / "gold", gold="adjudicated")
    records = {row["id"]: row for row in rows_of(tmp_path / "gold" / "gold.jsonl")}
    assert records["t1"]["drafts"][0]["items"][0]["taken"] is True
    run("import-tasks", ws, tmp_path / "gold" / "gold.jsonl", "--campaign", "again")

    with pagetrail.open(ws) as workspace:
        tables = workspace.report("drafts", NAME)
    (use,) = tables["drafts-use"].to_dict("records")
    assert (use["model"], use["kind"], use["items"], use["tasks"]) == ("qwen", "Answers", 6, 6)
    assert use["unchanged"] == pytest.approx(5 / 6)
    assert (use["edited"], use["rejected"]) == (0, pytest.approx(1 / 6))
    assert use["taken"] == 4
    assert 0 <= use["unchanged_low"] < 5 / 6 < use["unchanged_high"] <= 1
    run("drafts", ws, "--campaign", NAME)
    assert (ws / "exports" / "Random-drafts" / "report.html").is_file()


def test_hidden_and_shown_drafts_are_compared(tmp_path: Path) -> None:
    """Blind decisions count although they were undone; the revision counts apart."""
    reviewed = answered(tmp_path, tasks=20, **{"review.hide_drafts": 0.5})
    drafts = [{"task": f"t{n}", "answer": f"{n} otters", "model": "m"} for n in range(1, 21)]
    run(
        "import-drafts", reviewed.workspace.root, write_jsonl(tmp_path / "d.jsonl", drafts),
        "--campaign", NAME,
    )  # fmt: skip
    streams = reviewed.reviews.streams
    hidden = [n for n in range(1, 21) if streams.drafts(streams.task_work(n)).is_hidden]
    assert 0 < len(hidden) < 20
    for task in range(1, 21):
        if task in hidden:
            decide(reviewed, task, f"{task}-Bo", f"d{task}")
        else:
            decide(reviewed, task, f"draft:{task}", f"d{task}")
    first = hidden[0]
    reviewed.reviews.undo(first, "Sofia", reviewed.current_version(first).gold_seq, "u1")
    decide(reviewed, first, f"draft:{first}", "e1")
    with pagetrail.open(reviewed.workspace.root) as workspace:
        tables = workspace.report("drafts", NAME)
    rates = {
        row["visibility"]: (row["items"], row["unchanged"])
        for row in tables["drafts-visibility"].to_dict("records")
    }
    n_shown = 20 - len(hidden)
    assert rates == {
        "Shown": (n_shown, 1.0),
        "Hidden": (len(hidden), 0.0),
        "Hidden, then shown": (len(hidden), pytest.approx(1 / len(hidden))),
    }
    (influence,) = tables["drafts-anchoring"].to_dict("records")
    assert influence["difference"] == 1.0
    assert influence["difference_low"] > 0
    assert (influence["revised"], influence["moved"]) == (1, 1)
    (use,) = tables["drafts-use"].to_dict("records")
    assert use["items"] == n_shown + 1


def test_the_difference_of_shares_has_newcombes_interval() -> None:
    """The example of Newcombe 1998, table II, case (a): 56/70 − 48/80, method 10."""

    def share(successes: int, n: int) -> Mean:
        low, high = wilson(successes, n) or (0.0, 1.0)
        return Mean(successes / n, low, high, None, n, n)

    gap, interval = difference(share(56, 70), share(48, 80))
    assert gap == pytest.approx(0.2)
    assert interval == (pytest.approx(0.0524, abs=1e-4), pytest.approx(0.3339, abs=1e-4))
    undefined = Mean(None, None, None, "no_rows", 0, 0)
    assert difference(undefined, share(1, 2)) == (None, None)
    one_task = Mean(1.0, None, None, "one_cluster", 1, 1)
    assert difference(one_task, share(1, 2)) == (0.5, None)


def test_names_hidden_from_reviewers_are_hidden_from_models(tmp_path: Path) -> None:
    """Unless names are asked for; what is reopened and skipped is no answer."""
    reviewed = answered(tmp_path, tasks=2, **{"review.hide_names": True})
    reviewed.workspace.engine.dispose()
    export(reviewed.workspace, NAME, "answers-to-merge", tmp_path / "a")
    export(reviewed.workspace, NAME, "answers-to-merge", tmp_path / "b", identify=True)
    without_names, with_names = (
        rows_of(tmp_path / name / "answers.jsonl")[0]["answers"] for name in "ab"
    )
    assert [answer["annotator"] for answer in without_names] == [None, None]
    assert [answer["annotator"] for answer in with_names] == ["Ada", "Bo"]
    assert [answer["number"] for answer in without_names] == [1, 2]


def test_resubmitted_work_counts_as_it_is_now(tmp_path: Path) -> None:
    """What a reviewer sees is what the model is given."""
    reviewed = answered(tmp_path, tasks=2)
    reviewed.answer("1-Ada", "nine otters")
    export(reviewed.workspace, NAME, "answers-to-merge", tmp_path / "a")
    row = rows_of(tmp_path / "a" / "answers.jsonl")[0]
    assert row["proposed_answers"] == ["nine otters", "some otters"]
    assert row["sources"] == reviewed.reviews.streams.task_work(1).sources()
