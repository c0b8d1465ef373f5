"""One text in forms that look alike, through importers, exporters and searches.

What is right is in docs/formats.md, What is normalised.
"""

from __future__ import annotations

import csv
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.normalised_text import plain_quotes, plain_text
from pagetrail.app.workspace.find_computation import count_hits
from pagetrail.exports.reports.metrics.judging.judge_verdicts import words_of
from pagetrail.exports.run import export
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.storage.importers.runs.run_data import atif, bare, eval_log, run, sample, write_json
from tests.storage.importers.runs.test_chat_messages import chat
from tests.storage.importers.runs.test_langchain import root
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

TEXT = 'Zürich\'s "north office" - 7.5 km'
FORMS = {
    "composed": TEXT,
    "decomposed": unicodedata.normalize("NFD", TEXT),
    "invisible": TEXT.replace("rich", "ri\u00adch").replace("north", "no\u200brth\u2060"),
    "divided": TEXT.replace("office", "of- fice"),
    "typographic": "Zürich’s “north oﬃce” – 7½ km",
    "capitals": TEXT.upper(),
}
CAMPAIGN = "Forms"
IMPORTED = ("madqa", "atif", "inspect", "openai", "langchain")
EXPORTED = ("madqa", "trajectories", "atif")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A task with gold in each form, and a system for each format that answered in the next."""
    folder = tmp_path_factory.mktemp("forms")
    workspace = make_workspace(folder / "ws")
    tasks = [
        {"id": name, "question": f"{name}: {form}", "answer_variants": [[form]]}
        for name, form in FORMS.items()
    ]
    file = write_jsonl(folder / "tasks.jsonl", tasks)
    import_tasks(workspace, file, campaign=CAMPAIGN, protocol="search", overlap=1, seed=1)
    for format_ in IMPORTED:
        for name, answer in zip(FORMS, _answers(), strict=True):
            path = _run_file(folder, format_, f"{name}: {TEXT}", answer)
            report = run(workspace, path, campaign=CAMPAIGN, system=f"{format_} {name}")
            assert (report.imported, report.matched_by_text) == (1, 1), report.left_out
    return workspace


def test_answers_are_right_in_any_form_and_runs_are_matched_by_such_questions(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Whatever format they came in."""
    export(workspace, CAMPAIGN, "scores", tmp_path / "out")
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8", newline="") as file:
        scores = list(csv.DictReader(file))
    assert len(scores) == len(IMPORTED) * len(FORMS)
    decided = {(row["annotator"], row["correct"], row["decided_by"]) for row in scores}
    assert decided == {(row["annotator"], "True", "exact_match") for row in scores}


@pytest.mark.parametrize("format_", EXPORTED)
def test_exports_have_every_form_as_it_was_given(
    workspace: Workspace, tmp_path: Path, format_: str
) -> None:
    """Nothing that is normalised for comparing is written."""
    export(workspace, CAMPAIGN, format_, tmp_path / "out")
    files = [path for path in (tmp_path / "out").rglob("*.json*") if path.name != "manifest.json"]
    written = "".join(path.read_text(encoding="utf-8") for path in files)
    for form in FORMS.values():
        assert json.dumps(form)[1:-1] in written.replace('\\\\\\"', '\\"')


def test_verdicts_belong_to_answers_that_look_the_same() -> None:
    """Such as those of a judge whose program dropped soft hyphens."""
    assert {words_of([form]) for form in FORMS.values()} == {words_of(TEXT)}
    assert words_of("5¹") != words_of("51")


def test_finding_a_text_in_a_page_ignores_soft_hyphens_forms_and_case() -> None:
    """Not quotes and dashes, which are there to be seen."""
    page = "In Zürich, the north oﬃce."
    for text in ("zürich", "ZU\u0308RICH", "Zü\u00adrich", "north office", "NORTH\noﬃce"):
        for form in (page, unicodedata.normalize("NFD", page), page.replace("ric", "ri\u00ad\nc")):
            assert count_hits([form], text) == [(1, 1)]


def test_only_quotes_of_a_query_change() -> None:
    """The reference engine reads the rest of it as it is."""
    for form in FORMS.values():
        query = plain_quotes(form)
        assert query == form.translate({0x2019: "'", 0x201C: '"', 0x201D: '"'})
        assert plain_text(query) == plain_text(form)


def _answers() -> list[str]:
    """The form after each."""
    forms = list(FORMS.values())
    return [*forms[1:], forms[0]]


def _run_file(folder: Path, format_: str, question: str, answer: str) -> Path:
    """A run without the task's id."""
    answered = json.dumps({"answer": [answer], "citations": []})
    path = folder / f"{format_}.json"
    row: dict[str, Any]
    if format_ == "inspect":
        path.unlink(missing_ok=True)
        return eval_log(path, [sample(17, answered, input=question)])
    if format_ == "madqa":
        row = bare("", answer=[answer], question=question)
        del row["id"]
        return write_jsonl(folder / "madqa.jsonl", [row])
    if format_ == "atif":
        row = atif(extra={})
        row["steps"][0]["message"], row["steps"][2]["message"] = question, answered
    elif format_ == "openai":
        row = chat()
        del row["task_id"]
        row["messages"][1]["content"], row["messages"][-1]["content"] = question, answered
    else:
        row = root(inputs={"input": question}, outputs={"output": answered}, extra={})
    return write_json(path, row)
