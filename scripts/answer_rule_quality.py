"""Print the accuracy of the answer rule on the judged pairs, as in docs/metrics.md.

``--errors`` also prints the pairs that it gets wrong.
"""

from __future__ import annotations

import argparse

from pagetrail.annotation.answers.decision import decide_answer
from tests.annotation.answers.judged_pairs import (
    groups,
    quality,
    read_pairs,
    verdict_of_anls,
    verdict_of_rule,
)


def main() -> None:
    """Print the table and, if requested, the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="print the pairs it gets wrong")
    pairs = read_pairs()
    print("| pairs | n | rule | precision | recall | accuracy | undecided |")
    print("|---|--:|---|--:|--:|--:|--:|")
    for name, group in groups(pairs).items():
        for rule, verdict in (("this rule", verdict_of_rule), ("ANLS* ≥ 0.5", verdict_of_anls)):
            measures = quality(group, [verdict(pair) for pair in group])
            shares = " | ".join(f"{share:.3f}" for share in measures[1:])
            print(f"| {name} | {measures.n} | {rule} | {shares} |")
    if parser.parse_args().errors:
        for pair in pairs:
            decision = decide_answer(pair.answer, [pair.gold], pair.question)
            assert decision is not None
            if (decision.verdict == "correct") != pair.is_correct:
                print(pair.id, pair.language, pair.gold, pair.answer, pair.is_correct, decision[:3])


if __name__ == "__main__":
    main()
