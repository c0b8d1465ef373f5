"""Agreement: coefficients, bootstrap and zones against the packages that compute parts of them.

What another package computes is compared with ours on the same data, and the results must be equal;
the time of ours is that of everything it gives (seven coefficients with standard errors, IoU and
Dice with areas), the other's that of its one result. scikit-learn, statsmodels and shapely are no
dependencies: where one is missing, its line is left out with a note.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import krippendorff
import numpy as np

from benchmarks.harness import Benchmark, Measurement, Setup, duration
from pagetrail.annotation.agreement import bootstrap, coefficients, zone_agreement

try:
    from sklearn.metrics import cohen_kappa_score
except ImportError:
    cohen_kappa_score = None
try:
    from statsmodels.stats.inter_rater import aggregate_raters, fleiss_kappa
except ImportError:
    aggregate_raters = fleiss_kappa = None
try:
    import shapely
except ImportError:
    shapely = None

UNITS, CLUSTERS, REPLICATES = 26_000, 3_099, 2_000
POOL, BOXES = 76, 5
PAGE = (612.0, 792.0)
RUNS = 7
SAMPLE = 400
"""Page pairs that the slower references are timed on; their time is scaled to all pairs."""

CHOICES: dict[str, Any] = {"categories": [0, 1, 2], "weights": "ordinal", "level": "ordinal"}
Box = tuple[float, float, float, float]


def measure(_setup: Setup) -> list[Measurement]:
    """Measure coefficients, their bootstrap, and zones of boxes."""
    draw = np.random.default_rng(7)
    table = _ratings(draw)
    return [
        *_coefficients(table, _sparse(table, draw)),
        *_bootstrap(table, draw),
        *_zones(draw),
    ]


def _coefficients(table: Any, sparse: Any) -> Iterator[Measurement]:
    pagetrail_ms = _ms(lambda: coefficients(table, **CHOICES))
    alpha = _ms(lambda: _alpha(table))
    _require_equal(
        "alpha", coefficients(table, **CHOICES)["krippendorff_alpha"].value, _alpha(table)
    )
    name = f"{UNITS:,} × 3, all coefficients"
    yield Measurement(name, pagetrail_ms, "ms", 50, reference=("krippendorff, alpha alone", alpha))
    with_none = [
        [None if value != value else int(value) for value in row] for row in table.tolist()
    ]
    yield Measurement(
        "… from lists with None", _ms(lambda: coefficients(with_none, **CHOICES)), "ms"
    )
    complete = np.where(np.isnan(table), 0, table).astype(int)
    if fleiss_kappa is None:
        _missing("statsmodels")
    else:
        value = coefficients(complete, categories=[0, 1, 2])["fleiss_kappa"].value
        _require_equal("Fleiss' kappa", value, _fleiss(complete))
        yield Measurement(
            "… no rating missing",
            _ms(lambda: coefficients(complete, **CHOICES)),
            "ms",
            reference=("statsmodels, Fleiss' kappa alone", _ms(lambda: _fleiss(complete))),
        )
    if cohen_kappa_score is None:
        _missing("scikit-learn")
    else:
        two = complete[:, :2]
        choices = CHOICES | {"weights": "quadratic"}
        value = coefficients(two, **choices)["cohen_kappa"].value
        _require_equal("Cohen's kappa", value, _cohen(two))
        yield Measurement(
            f"{UNITS:,} × 2, all coefficients",
            _ms(lambda: coefficients(two, **choices)),
            "ms",
            reference=("scikit-learn, Cohen's kappa alone", _ms(lambda: _cohen(two))),
        )
    yield Measurement(
        f"{UNITS:,} × {POOL}, sparse, all coefficients",
        _ms(lambda: coefficients(sparse, **CHOICES)),
        "ms",
        200,
        reference=("krippendorff, alpha alone", _ms(lambda: _alpha(sparse))),
    )


def _bootstrap(table: Any, draw: np.random.Generator) -> Iterator[Measurement]:
    clusters = draw.integers(0, CLUSTERS, UNITS)
    clusters[:CLUSTERS] = np.arange(CLUSTERS)
    names = clusters.tolist()
    seconds = _ms(
        lambda: bootstrap(
            table,
            **CHOICES,
            clusters=names,
            keys=("gwet_ac", "krippendorff_alpha"),
            replicates=REPLICATES,
        ),
        runs=3,
    )
    naive = _ms(lambda: _alpha(table)) * REPLICATES
    yield Measurement(
        f"bootstrap, AC2 and alpha, {CLUSTERS:,} clusters",
        seconds / 1000,
        "s",
        2,
        reference=(f"krippendorff, one × {REPLICATES:,}", naive / 1000),
    )


def _zones(draw: np.random.Generator) -> Iterator[Measurement]:
    pairs = [(_boxes(draw), _boxes(draw)) for _ in range(UNITS)]
    name = f"{UNITS:,} page pairs of {BOXES} + {BOXES} boxes"
    pagetrail_s = _ms(lambda: [zone_agreement(a, b, PAGE) for a, b in pairs], runs=3) / 1000
    sample = pairs[:SAMPLE]
    scale = len(pairs) / len(sample) / 1000
    for a, b in sample:
        _require_equal("a mask's IoU", zone_agreement(a, b, PAGE, dpi=72).iou, _mask_iou(a, b))
    masks = _ms(lambda: [_mask_iou(a, b) for a, b in sample], runs=3) * scale
    yield Measurement(name, pagetrail_s, "s", 1.5, reference=("boolean masks at 72 dpi", masks))
    pixels = _ms(lambda: [zone_agreement(a, b, PAGE, dpi=72) for a, b in pairs], runs=3) / 1000
    yield Measurement("… on the pixels of 72 dpi", pixels, "s", reference=("boolean masks", masks))
    if shapely is None:
        _missing("shapely")
        return
    for a, b in sample:
        _require_equal("shapely's IoU", zone_agreement(a, b, PAGE).iou, _shapely_iou(a, b))
    unions = _ms(lambda: [_shapely_iou(a, b) for a, b in sample], runs=3) * scale
    yield Measurement("… exact", pagetrail_s, "s", reference=("shapely", unions))


def _ratings(draw: np.random.Generator) -> Any:
    """Grades 0 to 2 of three raters, skewed, one in ten missing."""
    shares = [0.75, 0.15, 0.10]
    truth = draw.choice(3, (UNITS, 1), p=shares)
    guesses = draw.choice(3, (UNITS, 3), p=shares)
    table = np.where(draw.random((UNITS, 3)) < 0.8, truth, guesses).astype(np.float64)
    table[draw.random(table.shape) < 0.1] = np.nan
    return table


def _sparse(table: Any, draw: np.random.Generator) -> Any:
    """The same ratings given by three of a pool of raters for each unit."""
    sparse = np.full((UNITS, POOL), np.nan)
    raters = draw.permuted(np.tile(np.arange(POOL), (UNITS, 1)), axis=1)[:, : table.shape[1]]
    sparse[np.arange(UNITS)[:, None], raters] = table
    return sparse


def _boxes(draw: np.random.Generator) -> list[Box]:
    """Boxes as they are stored: hundredths of a point, some of them overlapping."""
    size = draw.integers((2_000, 800), (30_000, 15_000), (BOXES, 2))
    corner = draw.integers(0, np.array([61_200, 79_200]) - size)
    corners = np.hstack([corner, corner + size]) / 100
    return [(x0, y0, x1, y1) for x0, y0, x1, y1 in corners.tolist()]


def _alpha(table: Any) -> float:
    return float(
        krippendorff.alpha(
            table.T, value_domain=CHOICES["categories"], level_of_measurement=CHOICES["level"]
        )
    )


def _fleiss(complete: Any) -> float:
    return float(fleiss_kappa(aggregate_raters(complete)[0]))


def _cohen(two: Any) -> float:
    return float(cohen_kappa_score(two[:, 0], two[:, 1], weights="quadratic"))


def _mask_iou(a: list[Box], b: list[Box]) -> float:
    masks = []
    for boxes in (a, b):
        mask = np.zeros((int(PAGE[1]), int(PAGE[0])), dtype=np.bool_)
        for box in boxes:
            x0, y0, x1, y1 = (math.floor(edge + 0.5) for edge in box)
            mask[y0:y1, x0:x1] = True
        masks.append(mask)
    return float((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())


def _shapely_iou(a: list[Box], b: list[Box]) -> float:
    first, second = (shapely.unary_union([shapely.box(*box) for box in boxes]) for boxes in (a, b))
    return float(first.intersection(second).area / first.union(second).area)


def _ms(run: Callable[[], object], runs: int = RUNS) -> float:
    """Median time in milliseconds, after one run that is not counted."""
    run()
    return median(duration(run) for _ in range(runs)) * 1000


def _require_equal(name: str, value: float | None, reference: float) -> None:
    if value is None or not math.isclose(value, reference, rel_tol=1e-9, abs_tol=1e-9):
        raise SystemExit(f"{name}: {value} here, {reference} in the reference.")


def _missing(package: str) -> None:
    print(f"  {package} is not installed: its ratio is left out")


BENCHMARK = Benchmark("agreement", measure)
