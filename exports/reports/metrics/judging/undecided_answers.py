"""The answers that the rule leaves undecided, and a random share of those that it decided."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pagetrail.annotation.statistics.allocation import allocate
from pagetrail.annotation.tasks.blind_judging import blind_keys
from pagetrail.annotation.tasks.drawn_task import DrawnTask
from pagetrail.annotation.tasks.stratified_sampling import StratumValues, draw_units, frame_digest
from pagetrail.exports.reading.source import Source
from pagetrail.exports.reports.metrics.judging.judge import VERDICT
from pagetrail.exports.reports.metrics.judging.sampled_answers import judged_answers

LEAST_DECIDED = 30
DECIDED_SHARE = 0.1
"""Of the decided answers this share is drawn, and at least so many; all if there are fewer."""
SEED = 7


@dataclass(frozen=True)
class DrawnAnswers:
    """Answers that were drawn, by a sample as ``pagetrail sample --allocation undecided`` draws it.

    Attributes:
        keys: (task, who answered) of each drawn answer → id of the task in which it is judged.
        stratum_by_key: such an id → its stratum.
        strata: values of each stratum → number of answers.
    """

    campaign: str
    population: str
    keys: Mapping[tuple[str, str], str]
    stratum_by_key: Mapping[str, StratumValues]
    strata: Mapping[StratumValues, int]

    def task(self, key: str) -> DrawnTask:
        """How one answer was drawn."""
        return DrawnTask(
            campaign=self.campaign,
            fields=(VERDICT,),
            seed=SEED,
            population=self.population,
            strata=tuple(sorted(self.strata.items())),
            stratum=self.stratum_by_key[key],
        )


def draw_answers(source: Source) -> DrawnAnswers:
    """Draw from the answers that need a judge, by verdict of the rule."""
    answers = [answer for answer in judged_answers(source, "")[0] if answer.verdict is not None]
    systems_by_task: dict[str, list[str]] = {}
    for answer in answers:
        systems_by_task.setdefault(answer.attempt.task, []).append(answer.attempt.system)
    secret = source.database.secret()
    key_by_answer = {
        (task, system): key
        for task, systems in systems_by_task.items()
        for system, key in blind_keys(task, systems, secret).items()
    }
    strata: dict[str, StratumValues] = {
        key_by_answer[answer.key]: (str(answer.verdict),) for answer in answers
    }
    sizes = Counter(strata.values())
    decided = sum(size for values, size in sizes.items() if values != ("undecided",))
    n = min(decided, max(LEAST_DECIDED, math.ceil(DECIDED_SHARE * decided)))
    plan = undecided_plan(sizes, Counter(), n, 0)
    drawn = draw_units(strata, len(strata), SEED, plan) if strata else []
    stratum_by_key = {key: stratum.values for stratum in drawn for key in stratum.keys}
    return DrawnAnswers(
        source.campaign.name,
        frame_digest(strata),
        {answer: key for answer, key in key_by_answer.items() if key in stratum_by_key},
        stratum_by_key,
        sizes,
    )


def undecided_plan(
    sizes: Mapping[StratumValues, int], drawn: Mapping[StratumValues, int], n: int, verdict: int
) -> dict[StratumValues, int]:
    """All undecided answers, and ``n`` of the others in proportion to the strata's sizes.

    Args:
        sizes: values of each stratum → number of answers.
        drawn: the same → number drawn before.
        verdict: position of the verdict among the values.
    """
    plan = {values: size for values, size in sizes.items() if values[verdict] == "undecided"}
    decided = sorted(sizes.keys() - plan.keys())
    counts = [sizes[values] for values in decided]
    added = allocate(counts, counts, [drawn.get(values, 0) for values in decided], n)
    return plan | dict(zip(decided, added, strict=True))
