"""Searches as TREC runs: which rankings they hold, and that an evaluator scores them as meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import NotFoundError
from pagetrail.exports.formats.trec_runs import NO_RESULTS
from pagetrail.exports.run import export
from tests.exports.conftest import left_out, load
from tests.storage.importers.runs.run_data import bare, madqa, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import driver, make_workspace, record_attempts, searched
from tests.support.foreign_programs import foreign

REPORT = "annual%20report.pdf"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two people, of whom one searched twice and looked back once, and two systems."""
    root = tmp_path_factory.mktemp("runs")
    workspace = make_workspace(root / "ws")
    record_attempts(workspace)
    second_driver = driver(workspace, "2-Grace")
    second_driver.sent = 100
    second_driver.do(ev.Reopened())
    second_driver.do(searched("Saône", 2, 2, (4, 4, 7)), after_s=3)
    second_driver.do(searched("rivers", 3, 3, (9, 4)), after_s=3)
    look_back = searched("Saône", 4, 2, (4, 4, 7)).model_copy(update={"looks_back_at": "s2"})
    second_driver.do(look_back, after_s=3)
    second_driver.do(ev.Submitted(outcome="not_found"), after_s=3)
    unknown = [{"query": "q", "num_results": 5}]
    rows = [madqa(), bare("t/2", search_history=unknown), bare("t/3", answer=None)]
    run(workspace, write_jsonl(root / "agent.jsonl", rows))
    manifest = export(workspace, "Otters", "runs", root / "out", submission="final")
    assert left_out(manifest) == {
        ("attempt", "never_opened"): 3,
        ("attempt", "no_gold"): 1,  # the agent's t/3
        ("attempt", "results_unknown"): 1,
        ("attempt", "status_open"): 1,
        ("search", "looked_back"): 1,
        ("search", "refused"): 1,
        ("task", "no_gold"): 2,
    }
    return root / "out"


def lines(path: Path) -> list[str]:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").splitlines()


def test_a_ranking_has_each_page_where_it_was_first_shown(out: Path) -> None:
    """Scores count down; a look back and a page shown twice add nothing."""
    assert lines(out / "runs" / "annotator-2.txt") == [
        f"t%2F1 Q0 {REPORT}#9 1 1 annotator-2",
        f"t%2F2 Q0 {REPORT}#4 1 3 annotator-2",
        f"t%2F2 Q0 {REPORT}#7 2 2 annotator-2",
        f"t%2F2 Q0 {REPORT}#9 3 1 annotator-2",
    ]
    assert lines(out / "by-query" / "runs" / "annotator-2.txt")[1:] == [
        f"t%2F2#1 Q0 {REPORT}#4 1 2 annotator-2",
        f"t%2F2#1 Q0 {REPORT}#7 2 1 annotator-2",
        f"t%2F2#2 Q0 {REPORT}#9 1 2 annotator-2",
        f"t%2F2#2 Q0 {REPORT}#4 2 1 annotator-2",
    ]
    queries = [line.split("\t") for line in lines(out / "by-query" / "queries.tsv")]
    assert queries[-1] == ["t%2F2#2", "annotator-2", "rivers"]
    assert {path.name for path in (out / "runs").iterdir()} == {
        "agent.txt",
        "annotator-1.txt",
        "annotator-2.txt",
    }


def test_qrels_are_of_the_tasks_that_the_searcher_did(out: Path) -> None:
    """So that nobody's score is lowered by a task that was never theirs; one without results
    stays, as a line that no evaluator takes as relevant.
    """
    first = f"t%2F1 0 {REPORT}#3 1"
    second = [f"t%2F2 0 {REPORT}#4 1", "t%2F2 0 b.pdf#1 1"]
    assert lines(out / "qrels.txt") == [first, *second]
    assert lines(out / "qrels" / "agent.txt") == [first]
    assert lines(out / "qrels" / "annotator-1.txt") == [first, *second]
    ranked = lines(out / "runs" / "annotator-1.txt")
    assert [line for line in ranked if not line.startswith("t%2F1 ")] == [
        "t%2F2 Q0 NO-RESULTS 1 0 annotator-1"
    ]
    assert not any(NO_RESULTS in line for line in lines(out / "documents.tsv"))
    counts = load(out / "manifest.json")["counts"]
    assert (counts["topics_without_results"], counts["queries_without_results"]) == (1, 0)
    assert f"{REPORT}#3\t3\tannual report.pdf" in lines(out / "documents.tsv")


def test_an_evaluator_reads_them(out: Path) -> None:
    """Reciprocal rank and recall as worked out by hand."""
    measures = foreign("ir_measures")

    def scores(folder: Path, name: str) -> dict[str, float]:
        qrels = measures.read_trec_qrels(str(folder / "qrels" / f"{name}.txt"))
        ranked = measures.read_trec_run(str(folder / "runs" / f"{name}.txt"))
        metrics = [measures.RR, measures.R @ 5]
        return {str(k): v for k, v in measures.calc_aggregate(metrics, qrels, ranked).items()}

    assert scores(out, "annotator-2") == {"RR": 0.5, "R@5": 0.25}
    assert scores(out, "agent") == {"RR": 1.0, "R@5": 1.0}
    assert scores(out, "annotator-1") == {"RR": 0.5, "R@5": 0.5}
    assert scores(out / "by-query", "annotator-2") == {"RR": 0.5, "R@5": 1 / 3}


def test_evaluators_that_average_over_the_queries_of_the_run_agree(out: Path) -> None:
    """trec_eval's default, through pytrec_eval: the mean over the run's queries alone."""
    evaluator = foreign("pytrec_eval")
    measures = foreign("ir_measures")
    qrels, run_ = ({}, {})  # type: dict[str, dict[str, int]], dict[str, dict[str, float]]
    for line in lines(out / "qrels" / "annotator-1.txt"):
        query, _, page, grade = line.split()
        qrels.setdefault(query, {})[page] = int(grade)
    for line in lines(out / "runs" / "annotator-1.txt"):
        query, _, page, _, score, _ = line.split()
        run_.setdefault(query, {})[page] = float(score)
    ranks = evaluator.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run_)
    means = sum(row["recip_rank"] for row in ranks.values()) / len(ranks)
    read = measures.read_trec_qrels(str(out / "qrels" / "annotator-1.txt"))
    ranked = measures.read_trec_run(str(out / "runs" / "annotator-1.txt"))
    aggregate = measures.calc_aggregate([measures.RR], read, ranked)
    assert means == aggregate[measures.RR] == 0.5


def test_a_query_without_results_has_a_line(tmp_path: Path) -> None:
    """In both rankings; the manifest counts them."""
    workspace = make_workspace(tmp_path / "ws")
    ada = driver(workspace, "1-Ada")
    ada.do(ev.Opened(session="tab"))
    empty_search = searched("zzz", 1, 1, ())
    ada.do(empty_search.model_copy(update={"total_hits": 0}), after_s=1)
    ada.do(ev.Submitted(outcome="not_found"), after_s=1)
    export(workspace, "Otters", "runs", tmp_path / "out")
    (name,) = [path.name for path in (tmp_path / "out" / "runs").iterdir()]
    tag = name.removesuffix(".txt")
    assert lines(tmp_path / "out/runs" / name) == [f"t%2F1 Q0 NO-RESULTS 1 0 {tag}"]
    assert lines(tmp_path / "out/by-query/runs" / name) == [f"t%2F1#1 Q0 NO-RESULTS 1 0 {tag}"]
    counts = load(tmp_path / "out" / "manifest.json")["counts"]
    assert (counts["topics_without_results"], counts["queries_without_results"]) == (1, 1)


def test_without_searches_there_is_nothing_to_write(tmp_path: Path) -> None:
    """It says so, and makes no folder."""
    workspace = make_workspace(tmp_path / "ws")
    with pytest.raises(NotFoundError, match="nothing to export as runs"):
        export(workspace, "Otters", "runs", tmp_path / "out", refuse_empty=True)
    assert not (tmp_path / "out").exists()
