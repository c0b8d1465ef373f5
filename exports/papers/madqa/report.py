"""All of MADQA's tables and figures that campaigns give, in the paper's order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pagetrail.annotation.answers.anls import ANLS_THRESHOLD
from pagetrail.annotation.statistics.tfidf import TfIdf
from pagetrail.exports.papers.madqa.corpus import (
    categories,
    constituents,
    layout_density,
    modalities,
    modality_pairs,
    read_elements,
    sample_question,
    statistics,
)
from pagetrail.exports.papers.madqa.cost import accuracy_against_cost
from pagetrail.exports.papers.madqa.distance import SemanticDistances
from pagetrail.exports.papers.madqa.effort import calibration, illustration, step_limit
from pagetrail.exports.papers.madqa.errors import (
    by_domain,
    by_hop,
    cascade,
    composition,
    decomposition,
    distribution,
    people_answers,
    people_errors,
    profiles,
)
from pagetrail.exports.papers.madqa.guesses import guessability
from pagetrail.exports.papers.madqa.horizon import time_horizon
from pagetrail.exports.papers.madqa.items import item_analysis
from pagetrail.exports.papers.madqa.judges import judge_tables
from pagetrail.exports.papers.madqa.lexical import lexical_solvability
from pagetrail.exports.papers.madqa.results import (
    effort_correlations,
    kuiper_by_effort,
    main_results,
)
from pagetrail.exports.papers.madqa.search import (
    drift_and_success,
    drift_by_participant,
    found_by_iteration,
    kappa,
    recovery,
)
from pagetrail.exports.papers.material import Material, material, with_verdicts
from pagetrail.exports.papers.model import Figure, NotGiven, Paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.questions import asked_questions, read_documents, read_questions
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.madqa_report import evaluator_tables
from pagetrail.exports.reports.model import Table

SOURCE = (
    "Borchmann et al. 2026, Strategic Navigation or Stochastic Search? How Agents and Humans "
    "Reason Over Document Collections (MADQA), arXiv 2603.12180"
)

_Part = Table | Figure
_BuiltParts = _Part | Sequence[_Part] | str | None

_NOTHING_DECIDED = "no attempt was judged correct or incorrect"
_NO_ATTEMPTS = "no attempt at an answerable task was submitted"
_NEVER = (
    NotGiven(
        "Tables 1, 5 and 18, figure 26", "they compare benchmarks and kinds of systems in words"
    ),
    NotGiven("Table 13", "it lists settings of the paper's retriever"),
    NotGiven("Figure 1", "it illustrates the task"),
    NotGiven("Figure 12", "it shows the paper's annotation interface"),
)
_EVALUATOR = "Scores of MADQA's evaluator"
_WITHOUT_ATTEMPTS = ("Table 3", "Table 8", "Table 9", _EVALUATOR)
"""Parts that need no attempts, or say themselves what is missing."""


def madqa_paper(sources: Sequence[Source], paper_options: PaperOptions) -> Paper:
    """The tables and figures of these campaigns.

    Raises:
        NotFoundError: no such campaign of judges, or none of the campaigns has these verdicts.
        PagetrailError: the campaign of judges gives no verdicts (``no_verdicts``), or
            nothing of a campaign is decided in review (``no_adjudicated_gold``).
        MeasureError: fewer than two replicates.
    """
    study = material(
        with_verdicts(sources, paper_options.verdicts),
        paper_options.options(sources[0]),
        rule=paper_options.rule,
        judgements=paper_options.judgements,
        gold=paper_options.gold,
    )
    parts: list[_Part] = []
    missing: list[NotGiven] = []
    data_set = _data_set_builders(sources, paper_options)
    without_attempts = {*_WITHOUT_ATTEMPTS, *(name for name, _ in data_set)}
    for name, make in [*data_set, *_builders(study, paper_options)]:
        built = make() if study.rows or name in without_attempts else _NO_ATTEMPTS
        if built is None or isinstance(built, str):
            missing.append(NotGiven(name, _reason(built) if built else _NOTHING_DECIDED))
            continue
        for part in [built] if isinstance(built, Table | Figure) else built:
            if (part.data if isinstance(part, Figure) else part).rows:
                parts.append(part)
            else:
                missing.append(NotGiven(name, _reason_without_rows(study)))
    if not any(row.effort("total_tokens") is not None for row in study.rows):
        missing.append(NotGiven("Table 12, tokens", "no imported run states its token counts"))
    if not study.oracle:
        missing.append(
            NotGiven(
                "Table 3, oracle row", "no selected campaign gives participants the gold pages"
            )
        )
    return Paper(
        name="madqa",
        title="MADQA: the human study and its item analysis",
        source=SOURCE,
        campaigns=study.facts(),
        choices={
            **paper_options.choices(sources[0]),
            **(
                {"Systems left out, since they only drew boxes": study.systems_without_answers}
                if study.systems_without_answers
                else {}
            ),
            "ANLS* threshold": ANLS_THRESHOLD,
            "Effort of Kuiper": "searches, else iterations",
            "Vectoriser of drift": study.options.vectors.name
            if study.options.vectors
            else TfIdf.name,
        },
        parts=parts,
        not_given=[*missing, *_NEVER],
        identified=any(source.identify for source in sources),
    )


def _reason(sentence: str) -> str:
    """A reason as a clause: sections of reports say what is left out as a sentence."""
    return sentence.rpartition(" left out: ")[2].removesuffix(".")


def _reason_without_rows(study: Material) -> str:
    if not any(participant.decided for participant in study.participants):
        return _NOTHING_DECIDED
    return "no attempt has the gold evidence, verdict or grouping variable that it requires"


def _data_set_builders(
    sources: Sequence[Source], paper_options: PaperOptions
) -> list[tuple[str, Callable[[], _BuiltParts]]]:
    """Tables of questions and documents, whether anybody has answered or not."""
    tasks = read_questions(sources, adjudicated=paper_options.gold == "adjudicated")
    questions, documents = (
        asked_questions(tasks),
        read_documents(sources[0], tasks, count_words=True),
    )
    elements = read_elements(sources)
    return [
        ("Figure 2", lambda: layout_density(elements, documents, by_category=False)),
        ("Table 2", lambda: constituents(questions, documents)),
        ("Figure 3", lambda: sample_question(questions)),
        ("Figure 4", lambda: modality_pairs(questions)),
        ("Table 4", lambda: statistics(questions, documents)),
        ("Table 6", lambda: categories(documents)),
        ("Figure 11", lambda: layout_density(elements, documents, by_category=True)),
        ("Table 10", lambda: modalities(questions)),
    ]


def _builders(
    study: Material, paper_options: PaperOptions
) -> list[tuple[str, Callable[[], _BuiltParts]]]:
    semantic = SemanticDistances(study)
    return [
        ("Table 3", lambda: main_results(study)),
        (_EVALUATOR, lambda: evaluator_tables(study.sources, paper_options.results)),
        (
            "Tables 7, items; figures 5, 13, 21",
            lambda: item_analysis(study, paper_options.test_items),
        ),
        ("Figure 6", lambda: illustration(study)),
        ("Figure 7", lambda: accuracy_against_cost(study)),
        ("Table 8", lambda: lexical_solvability(study)),
        ("Table 9", lambda: guessability(study)),
        ("Figure 8", lambda: decomposition(study)),
        ("Figure 9", lambda: step_limit(study)),
        ("Figure 10", lambda: calibration(study)),
        ("Appendix F.1, judges", lambda: judge_tables(study)),
        ("Table 11", lambda: effort_correlations(study)),
        ("Table 12", lambda: kuiper_by_effort(study)),
        ("Table 14", semantic.same_document),
        ("Table 15", semantic.several_documents),
        ("Figure 14", semantic.page_gap),
        ("Semantic distance of questions and pages", semantic.question_and_pages),
        ("Figure 15", lambda: composition(study)),
        (
            "Table 16",
            lambda: people_errors(
                study, people_answers(study.sources, paper_options.rule, paper_options.gold)
            ),
        ),
        ("Figure 16", lambda: profiles(study)),
        ("Table 17", lambda: distribution(study)),
        ("Figure 17", lambda: by_hop(study)),
        ("Figure 18", lambda: by_domain(study)),
        ("Figure 19", lambda: cascade(study)),
        ("Figure 20", lambda: kappa(study)),
        ("Figure 22", lambda: found_by_iteration(study)),
        ("Figure 23", lambda: recovery(study)),
        ("Figure 24", lambda: drift_by_participant(study)),
        ("Figure 25", lambda: drift_and_success(study)),
        ("Time horizon", lambda: time_horizon(study)),
    ]
