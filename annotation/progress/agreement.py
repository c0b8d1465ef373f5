"""Agreement while a campaign is running: one measure for every part, two more for ratings.

``similarity`` is 1 minus the mean difference that review finds for a part
(``comparison.differences``), averaged over the tasks that two people or more have submitted,
without a correction for chance. Categories and numbers also have Gwet's AC1 or AC2 and
Krippendorff's alpha. Several options of one field are compared as a set; the agreement report
compares them option by option.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pagetrail.annotation.agreement import BootstrappedCoefficient, bootstrap
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.ratings.numbers import number_row
from pagetrail.annotation.ratings.schemes import OUTCOME, Scheme
from pagetrail.annotation.ratings.tables import FieldRatings, Ratings
from pagetrail.annotation.statistics.clustered_mean import Mean, clustered_mean

KEYS = ("gwet_ac", "krippendorff_alpha")
REPLICATES = 1_000


@dataclass(frozen=True)
class PartAgreement:
    """Agreement on one part.

    Attributes:
        part: as ``review.comparing`` names it, or the key of a rating table.
        similarity: mean over tasks; None where nothing is compared part by part.
        scheme: of the ratings; None where nothing is chosen.
        units: rated by two people or more.
        tasks: with a unit that was rated by two or more.
        intervals: AC and alpha; empty without ratings.
    """

    part: str
    label: str
    similarity: Mean | None
    scheme: Scheme | None = None
    units: int = 0
    tasks: int = 0
    intervals: dict[str, BootstrappedCoefficient] | None = None


def agreement_so_far(
    protocol: Protocol,
    parts: Iterable[tuple[str, Sequence[tuple[str, str, float]]]],
    reads: Iterable[tuple[str, str, Iterable[Sequence[Any]]]],
    *,
    replicates: int = REPLICATES,
) -> list[PartAgreement]:
    """Every part that anybody filled in, in the screen's order, then other ratings.

    Args:
        parts: (task, its parts: name, label and mean difference).
        reads: (task, annotator, ratings from ``Ratings.read``).
        replicates: resampled tables behind each interval.
    """
    scores: dict[str, list[float]] = {}
    labels: dict[str, str] = {}
    for _, ratings_of_part in parts:
        for name, label, score in ratings_of_part:
            labels.setdefault(name, label)
            scores.setdefault(name, []).append(1 - score)
    ratings = Ratings(protocol)
    scheme_keys = {scheme.key for scheme in ratings.schemes if scheme.kind != "multi"}
    for task, rater, given_ratings in reads:
        ratings.add_read(task, rater, [read for read in given_ratings if read[0] in scheme_keys])
    tables = {
        "outcome" if table.scheme.key == OUTCOME else table.scheme.key: table
        for table in ratings.tables()
        if table.scheme.key in scheme_keys and (table.per_unit >= 2).any()
    }
    names = [*labels, *(name for name in tables if name not in labels)]
    return [_part(name, labels, scores, tables.get(name), replicates) for name in names]


def _part(
    name: str,
    labels: dict[str, str],
    scores: dict[str, list[float]],
    table: FieldRatings | None,
    replicates: int,
) -> PartAgreement:
    mean_similarity = None
    if name in scores:
        values = np.array(scores[name])
        mean_similarity = clustered_mean(values, np.arange(len(values)))
    if table is None:
        return PartAgreement(name, labels[name], mean_similarity)
    rated_twice = np.flatnonzero(table.per_unit >= 2)
    return PartAgreement(
        part=name,
        label=labels.get(name, table.scheme.label),
        similarity=mean_similarity,
        scheme=table.scheme,
        units=len(rated_twice),
        tasks=len({table.units[unit].task for unit in rated_twice.tolist()}),
        intervals=_intervals(table, replicates),
    )


def _intervals(table: FieldRatings, replicates: int) -> dict[str, BootstrappedCoefficient]:
    scheme = table.scheme
    if scheme.is_numeric:
        row = number_row(table.rating_matrix, table.clusters, replicates=replicates)
        return {key: row.intervals[key] for key in KEYS}
    return bootstrap(
        table.rating_matrix,
        categories=range(len(scheme.categories)),
        weights=scheme.weights,
        level=scheme.level,
        clusters=table.clusters,
        keys=KEYS,
        replicates=replicates,
    )
