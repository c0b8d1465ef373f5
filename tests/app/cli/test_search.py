"""``pagetrail search`` and ``pagetrail index``: what a person or an agent gets to see."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pagetrail.app.cli.main import main
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.store import ensure_index
from tests.storage.search.generated_corpus import build_reference, pages, reference, register


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    """A workspace with 80 pages and no index yet."""
    register(workspace, pages(80))
    return workspace


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def pagetrail(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Run]:
    """Runs the command line in this process, as far as its end."""
    umask = os.umask(0o077)

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        monkeypatch.setattr(sys, "argv", ["pagetrail", *arguments])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        code = ended.value.code or 0
        assert isinstance(code, int)
        return subprocess.CompletedProcess(arguments, code, printed.out, printed.err)

    yield run
    os.umask(umask)


def test_json_alone_on_standard_output(filled: Workspace, tmp_path: Path) -> None:
    """The index is built on the way; what is printed is the reference's list and nothing else."""
    start = [sys.executable, "-m", "pagetrail"]
    line = ["search", str(filled.root), "company revenue", "--top-k", "4", "--json"]
    process = subprocess.run([*start, *line], capture_output=True, text=True, check=False)
    assert process.returncode == 0, process.stderr
    printed = json.loads(process.stdout)
    expected, total = reference(build_reference(pages(80), tmp_path), "company revenue", 4)
    assert [(r["file"], r["page"], r["score"]) for r in printed["results"]] == expected
    assert [r["rank"] for r in printed["results"]] == list(range(1, len(expected) + 1))
    assert printed["total_hits"] == total
    assert printed["parsed"] == "(text:company AND text:revenue)"
    assert printed["query"] == "company revenue"
    assert printed["took_ms"] > 0


def test_a_refused_query_is_json_too(filled: Workspace, pagetrail: Run) -> None:
    """A refusal has a code, a sentence, no results, and exit code 1."""
    result = pagetrail("search", str(filled.root), "*", "--json")
    printed = json.loads(result.stdout)
    assert result.returncode == 1
    assert printed["error"]["code"] == "query_too_broad"
    assert printed["results"] == []
    assert "Traceback" not in result.stderr


def test_a_query_of_stop_words_is_a_search(filled: Workspace, pagetrail: Run) -> None:
    """As in the reference tool: an empty list, and no error."""
    result = pagetrail("search", str(filled.root), "the of", "--json")
    printed = json.loads(result.stdout)
    assert (result.returncode, printed["results"], printed["total_hits"]) == (0, [], 0)
    assert "error" not in printed and printed["parsed"] == "nothing"


def test_a_refused_query_is_one_sentence(filled: Workspace, pagetrail: Run) -> None:
    """For a person the refusal is a sentence on standard error."""
    result = pagetrail("search", str(filled.root), "*")
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("Error: * alone")


def test_query_may_start_with_a_hyphen(filled: Workspace, pagetrail: Run) -> None:
    """After -- a query is a query."""
    result = pagetrail("search", str(filled.root), "--json", "--", "-revenue")
    assert json.loads(result.stdout)["parsed"] == "text:revenue"


def test_results_for_a_person(filled: Workspace, pagetrail: Run) -> None:
    """Without --json a table and the number of pages go to standard error."""
    result = pagetrail("search", str(filled.root), "revenue")
    assert (result.returncode, result.stdout) == (0, "")
    assert "pages match text:revenue" in result.stderr


def test_index_says_whether_it_built(filled: Workspace, pagetrail: Run) -> None:
    """The first run builds, the second finds it current, --force builds the same again."""
    runs = [
        json.loads(pagetrail("index", str(filled.root), *extra, "--json").stdout)
        for extra in ([], [], ["--force"])
    ]
    assert [run["built"] for run in runs] == [True, False, True]
    assert {run["index_id"] for run in runs} == {ensure_index(filled).identity}
    assert runs[0]["pages"] == 80


def test_a_folder_without_workspace_is_an_error(tmp_path: Path, pagetrail: Run) -> None:
    """A wrong folder is named, with the way out."""
    result = pagetrail("search", str(tmp_path), "net")
    assert result.returncode == 1
    assert "pagetrail init" in result.stderr
