"""Print how the answer rule does on the judged pairs, as in docs/metrics.md.

``--errors`` also prints the pairs that it decides wrongly, ``--pairs FILE`` reads other pairs.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pagetrail.annotation.answers.decision import decide_answer
from tests.annotation.answers.judged_pairs import (
    RULES,
    SENTENCES,
    SHORT_GOLD,
    groups,
    quality,
    read_pairs,
)


def main() -> None:
    """Print a table per file and, if requested, the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="print the pairs it gets wrong")
    parser.add_argument("--pairs", type=Path, nargs="*", default=[SHORT_GOLD, SENTENCES])
    arguments = parser.parse_args()
    for file in arguments.pairs:
        pairs = read_pairs(file)
        print(f"\n{file.name}\n")
        print(
            "| pairs | n | rule | decided | correct | of them wrong | incorrect | of them wrong |"
        )
        print("|---|--:|---|--:|--:|--:|--:|--:|")
        for name, group in groups(pairs).items():
            for rule, verdict in list(RULES.items())[: None if name == "all" else 1]:
                n, decided, *counts = quality(group, verdict)
                print(f"| {name} | {n} | {rule} | {decided:.0%} | {' | '.join(map(str, counts))} |")
        for pair in pairs if arguments.errors else []:
            decision = decide_answer(pair.answer, [pair.gold], pair.question)
            assert decision is not None
            if decision.verdict == ("incorrect" if pair.is_correct else "correct"):
                print(pair.id, pair.question, pair.gold, pair.answer, decision[:3])


if __name__ == "__main__":
    main()
