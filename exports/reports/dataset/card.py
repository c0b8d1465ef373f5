"""The card of a data set, with computed numbers and escaped text.

Source of the front matter: huggingface.co/docs/hub/datasets-cards.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from pagetrail.annotation.sentences import count_noun
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.reports.dataset.croissant import Table
from pagetrail.exports.reports.dataset.numbers import GROUPS, Numbers, Result
from pagetrail.exports.reports.render.formatting import range_words, undecided_words
from pagetrail.exports.writing.dataset_card import CARD, card_text
from pagetrail.exports.writing.left_out import counted_words, left_out_words

SPLIT = "test"
MOST_GROUPS = 20
"""Maximum rows of a table of task counts; one more row has the rest."""
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"))
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&$:@])")


def save_dataset_card(
    source: Source,
    folder: Path,
    tally: WrittenFiles,
    tables: Sequence[Table],
    rows: Mapping[str, int],
    numbers: Numbers,
) -> None:
    """Write the card; ``rows`` are those of the tables, by name."""
    campaign = source.campaign
    size = next((word for limit, word in _SIZES if numbers.tasks < limit), "100K<n<1M")
    front = [
        f"pretty_name: {_yaml(campaign.name)}",
        f"size_categories:\n- {size}",
        "tags:\n- human-baseline\n- document-question-answering",
    ]
    body = "\n".join(_body(source, tally, tables, rows, numbers))
    text = card_text(folder, {t.name: t.path for t in tables}, SPLIT, body, front)
    (folder / CARD).write_text(text, encoding="utf-8", newline="\n")


def _body(
    source: Source,
    tally: WrittenFiles,
    tables: Sequence[Table],
    rows: Mapping[str, int],
    numbers: Numbers,
) -> Iterator[str]:
    campaign, corpus = source.campaign, source.database.corpus()
    yield f"# {literal(campaign.name)}\n"
    yield (
        f"{count_noun(numbers.tasks, 'task')} over {count_noun(corpus.documents, 'document')} "
        f"({count_noun(corpus.pages, 'page')}); "
        f"{count_noun(numbers.people, 'submitted attempt')} by "
        f"{count_noun(numbers.annotators, 'person', 'people')}, "
        f"{len(numbers.rows) - numbers.people:,} by systems; "
        f"{count_noun(numbers.unanswerable, 'task')} without an answer in the documents.\n"
    )
    yield "## Configurations\n"
    yield from _table(
        ["Configuration", "Rows", "What it has"],
        [(f"`{t.name}`", f"{rows[t.name]:,}", t.description) for t in tables],
    )
    results = list(numbers.results())
    if results:
        yield "## Results\n"
        yield (
            "Of answerable tasks. The submitted attempts of people at one task share a weight of "
            "1, so that accuracy is the mean within tasks, then over tasks; it is under the rule "
            "`first`, over attempts whose answer could be compared with gold; "
            f"{count_noun(numbers.undecided, 'attempt')} undecided, which makes an accuracy a "
            "range. Searches and active time are medians with the same weights.\n"
        )
        if numbers.guesses:
            yield (
                f"Not in this table: {count_noun(numbers.guesses, 'attempt')} of models that were "
                "given the questions alone; the column `without_documents` marks them.\n"
            )
        head = ["", "Attempts", "Decided", "Accuracy", "ANLS*", "Page F1", "Searches", "Active (s)"]
        yield from _table(
            head,
            [
                (
                    literal(r.name), f"{r.attempts:,}", f"{r.decided:,}", _accuracy(r),
                    _share(r.anls), _share(r.page_f1), f"{r.searches:g}", _seconds(r.active_s),
                )
                for r in results
            ],
        )  # fmt: skip
    groups = {name: numbers.groups[name] for name in GROUPS if name in numbers.groups}
    if groups:
        yield "## Tasks\n"
    for name, counts in groups.items():
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        shown_values = [(literal(value), f"{n:,}") for value, n in ordered[:MOST_GROUPS]]
        rest = sum(n for _, n in ordered[MOST_GROUPS:])
        more = [(f"{len(ordered) - MOST_GROUPS:,} more", f"{rest:,}")] if rest else []
        yield from _table([GROUPS[name], "Tasks"], [*shown_values, *more])
    yield "## How it was made\n"
    names = "under their names" if source.identify else "under pseudonyms"
    yield (
        f"Exported by pagetrail {version('pagetrail')} from a campaign of the protocol "
        f"`{literal(campaign.protocol.name)}`; people appear {names}. The guidelines' SHA-256 is "
        f"`{campaign.guidelines_sha256}`, the collection's `{corpus.sha256}`. `manifest.json` has "
        "all settings and the SHA-256 of each file.\n"
    )
    if tally.left_out:
        yield "Left out:\n"
        yield from (f"* {left_out_words(entry)}" for entry in tally.left_out)
    if reasons := source.exclusion_reasons():
        yield "\nReasons for which tasks were excluded:\n"
        yield from (f"* {counted_words('task', n)}: {literal(why)}" for why, n in reasons.items())


def literal(text: str) -> str:
    """Text on one line, escaped for Markdown."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _yaml(text: str) -> str:
    """A text as a double-quoted YAML scalar."""
    plain = "".join(c if c.isprintable() else " " for c in text)
    return json.dumps(plain, ensure_ascii=False)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def _accuracy(result: Result) -> str:
    if not result.undecided or result.accuracy is None:
        return _share(result.accuracy)
    share = range_words(f"{100 * result.accuracy:.1f}", _share(result.accuracy_upper))
    return f"{share} {undecided_words(result.undecided)}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"
