"""The papers that ``pagetrail report`` knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pagetrail.annotation.errors import PagetrailError
from pagetrail.exports.papers.madqa.report import madqa_paper
from pagetrail.exports.papers.model import Paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.parsebench import parsebench_paper
from pagetrail.exports.papers.unidoc import unidoc_paper
from pagetrail.exports.papers.vidore import vidore_paper
from pagetrail.exports.reading.source import Source

PAPERS: Mapping[str, Callable[[Sequence[Source], PaperOptions], Paper]] = {
    "madqa": madqa_paper,
    "vidore": vidore_paper,
    "unidoc": unidoc_paper,
    "parsebench": parsebench_paper,
}
BY_EVALUATOR = ("madqa",)
"""Papers whose evaluator scores files of results."""
BY_GOLD = ("madqa",)
"""Papers whose numbers depend on gold and are means over attempts."""
BY_VERDICTS = (*BY_GOLD, "vidore")
"""Papers with answers that imported verdicts may decide."""


def paper_of(name: str, sources: Sequence[Source], paper_options: PaperOptions) -> Paper:
    """A paper's tables and figures.

    Raises:
        PagetrailError: no such paper (code ``invalid_paper``), gold or verdicts for a paper that
            has no use for them (``gold_not_taken``, ``verdicts_not_taken``), intervals for one
            whose tables have others (``intervals_not_taken``), vectors for one that compares no
            texts (``vectors_not_taken``), results for one without an evaluator
            (``results_not_taken``), and what the paper's builder raises.
    """
    if name not in PAPERS:
        raise PagetrailError(
            f"There is no paper {name!r}. Choose from {', '.join(PAPERS)}.", code="invalid_paper"
        )
    if paper_options.gold != "task" and name not in BY_GOLD:
        raise PagetrailError(
            f"The tables of {name} always go by the tasks' gold; those of {', '.join(BY_GOLD)} can "
            "go by another. Leave --gold away.",
            code="gold_not_taken",
        )
    if paper_options.verdicts is not None and name not in BY_VERDICTS:
        raise PagetrailError(
            f"The tables of {name} do not go by imported verdicts; those of "
            f"{' and '.join(BY_VERDICTS)} "
            "do. Leave --verdicts away.",
            code="verdicts_not_taken",
        )
    if paper_options.intervals != "tasks" and name not in BY_GOLD:
        raise PagetrailError(
            f"The intervals of {name}'s tables are over tasks; those of {', '.join(BY_GOLD)} can "
            "be over tasks and annotators. Leave --intervals away.",
            code="intervals_not_taken",
        )
    if paper_options.vectors is not None and name not in BY_GOLD:
        raise PagetrailError(
            f"The tables of {name} compare no texts; those of {', '.join(BY_GOLD)} do. Leave "
            "--vectors away.",
            code="vectors_not_taken",
        )
    if paper_options.results and name not in BY_EVALUATOR:
        raise PagetrailError(
            f"The tables of {name} score no files of results; those of {', '.join(BY_EVALUATOR)} "
            "do. Leave --results away.",
            code="results_not_taken",
        )
    return PAPERS[name](sources, paper_options)
