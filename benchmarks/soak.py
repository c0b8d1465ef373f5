"""Hours of work at full speed: does the server's memory grow?

``python -m benchmarks.soak --people 20 --hours 8`` has each person answer as many questions as they
would in that time at two minutes a question (``benchmarks.load``), without the time to think. The
memory of all processes once a tenth is done, when caches have filled, is compared with that of the
last tenth. Ends with 1 where it has grown by more than a tenth, or an acknowledged event is lost.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from statistics import median
from threading import Event as Flag

from benchmarks.load import QUESTION_S, Annotator, Load, memory_mb, stored_events
from benchmarks.support import (
    attempts_of,
    bench_workspace,
    corpus_folder,
    person_name,
    serving,
)

MOST_GROWTH = 0.1
_NO_THINKING = 1e6
_LOOK_S = 2.0


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a folder of PDF files; default: the library")
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--hours", type=float, default=8.0)
    options = parser.parse_args()
    questions = max(1, round(options.hours * 3600 / QUESTION_S))
    people, load, over = options.people, Load(), Flag()
    samples: list[tuple[int, float]] = []
    began = time.monotonic()
    with bench_workspace(corpus_folder(options.corpus), people, questions) as root:
        work = [attempts_of(root, person_name(number)) for number in range(people)]
        with serving(root) as served:
            crowd = [
                Annotator(number, served, work[number], load, over, _NO_THINKING)
                for number in range(people)
            ]
            for annotator in crowd:
                annotator.start()
            while any(annotator.is_alive() for annotator in crowd):
                over.wait(_LOOK_S)
                done = len(load.seconds["open task"])
                samples.append((done, memory_mb(served.pid)))
        lost = load.acknowledged - stored_events(root)
    tenth = people * questions / 10
    early = median(mb for done, mb in samples if tenth <= done < 2 * tenth)
    late = median(mb for done, mb in samples if done >= 9 * tenth)
    growth = late / early - 1
    print(
        f"{people} people, {people * questions:,} questions, {len(load.acknowledged):,} events in "
        f"{(time.monotonic() - began) / 60:.0f} min: {len(lost)} lost, "
        f"{sum(load.errors.values())} errors; {early:,.0f} MB after a tenth, {late:,.0f} MB in the "
        f"last, {growth:+.1%}; at most {max(mb for _, mb in samples):,.0f} MB"
    )
    for what, count in load.errors.most_common(5):
        print(f"  {count} × {what}")
    raise SystemExit(bool(lost) or growth > MOST_GROWTH)


if __name__ == "__main__":
    main()
