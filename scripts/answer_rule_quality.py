"""Write how the answer rule does on the judged pairs into docs/metrics.md.

``--pairs FILE`` prints a table of other pairs instead. ``--errors`` prints the pairs decided
wrongly, except for those of the held-out half, which nobody looks at who changes the rule.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pagetrail.annotation.answers.decision import decide_answer
from scripts.generated_text import with_generated_text
from scripts.metric_tables import PAGE
from tests.annotation.answers.judged_pairs import (
    HELD_OUT,
    RULES,
    SENTENCES,
    SHORT_GOLD,
    JudgedPair,
    groups,
    quality,
    read_library,
    read_pairs,
)

HEAD = [
    "| pairs | n | rule | decided | correct | of them wrong | incorrect | of them wrong |",
    "|---|--:|---|--:|--:|--:|--:|--:|",
]
THIS_RULE = next(iter(RULES))


def with_quality_of_rule(page: str) -> str:
    """The page with its table of decisions on judged pairs up to date."""
    short, dev, held_out = map(read_pairs, (SHORT_GOLD, SENTENCES, HELD_OUT))
    compared = {
        "all": [*short, *dev, *held_out],
        "short gold": short,
        "gold by style, half to tune on": dev,
        "gold by style, held-out half": held_out,
    }
    library = {
        "library, sentence as gold": read_library(is_sentence_gold=True),
        "library, sentence as answer": read_library(is_sentence_gold=False),
    }
    lines = [
        *HEAD,
        *(_row(name, pairs, rule) for name, pairs in compared.items() for rule in RULES),
        *_rows_of_groups("short gold", short),
        *_rows_of_groups("style", [*dev, *held_out]),
        *(_row(name, pairs, THIS_RULE) for name, pairs in library.items()),
    ]
    return with_generated_text(page, "quality of the answer rule", "\n".join(lines))


def _rows_of_groups(kind: str, pairs: list[JudgedPair]) -> list[str]:
    return [
        _row(f"{kind}: {name}", group, THIS_RULE)
        for name, group in groups(pairs).items()
        if name != "all"
    ]


def _row(name: str, pairs: list[JudgedPair], rule: str) -> str:
    n, decided, *counts = quality(pairs, RULES[rule])
    return f"| {name} | {n} | {rule} | {decided:.0%} | {' | '.join(map(str, counts))} |"


def main() -> None:
    """Update the page or, if requested, print other pairs or the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="print the pairs it gets wrong")
    parser.add_argument("--pairs", type=Path, nargs="+", default=[])
    arguments = parser.parse_args()
    if not arguments.errors and not arguments.pairs:
        PAGE.write_text(with_quality_of_rule(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    for file in arguments.pairs:
        named_groups = groups(read_pairs(file))
        print("\n".join([*HEAD, *(_row(*group, THIS_RULE) for group in named_groups.items())]))
    for file in (arguments.pairs or [SHORT_GOLD, SENTENCES]) if arguments.errors else []:
        for pair in read_pairs(file):
            decision = decide_answer(pair.answer, [pair.gold], pair.question)
            assert decision is not None
            if decision.verdict != "undecided" and not pair.is_right(decision.verdict):
                print(pair.id, pair.question, pair.gold, pair.answer, decision[:3])


if __name__ == "__main__":
    main()
