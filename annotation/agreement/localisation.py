"""ParseBench's visual grounding: which true elements a model found, classified and read.

Zhang et al. 2026, *ParseBench: A Document Parsing Benchmark for AI Agents* (arXiv 2604.08538),
visual grounding; thresholds as in docs/metrics.md, Boxes. Boxes are compared one to one as they are
given: the benchmark does not put corners in order, so a reversed box has no area and finds nothing.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Literal

from annotation.elements import Element
from annotation.errors import BoxError
from annotation.geometry import Box
from annotation.regions import ioa, iou, is_box, localises

CONTENT_F1 = 0.80

_TABLE = re.compile(r"<(table|tr|td|th)\b[^<>]*>", re.IGNORECASE)
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Localisation:
    """One true box and the prediction that fits it best.

    Attributes:
        truth: place of the true box.
        best: place of a prediction that localises it, and of those the one of highest IoU; where
            none does, the one of highest IoU; None without predictions. The first of equals.
        ioa_truth: share of the true box that ``best`` covers.
        ioa_prediction: share of ``best`` that the true box covers.
        iou: of the two.
        localised: some prediction has ioa_truth ≥ 0.50 and ioa_prediction ≥ 0.20.
    """

    truth: int
    best: int | None
    ioa_truth: float
    ioa_prediction: float
    iou: float
    localised: bool


@dataclass(frozen=True, slots=True)
class ElementPass:
    """One true element of a page.

    Attributes:
        localised: a prediction finds its place.
        classified: one that does has its label.
        read: one that does has its content; None where the element has no content to read.
        passed: one and the same prediction does all of it.
    """

    element: str
    localised: bool
    classified: bool
    read: bool | None
    passed: bool


@dataclass(frozen=True, slots=True)
class PassRate:
    """Element Pass Rate.

    Attributes:
        value: share of the true elements that passed; None without any.
        n_elements, n_localised, n_classified, n_with_content, n_read, n_passed: counts of them.
        reason: ``"no_element"`` where ``value`` is None.
    """

    value: float | None
    n_elements: int
    n_localised: int
    n_classified: int
    n_with_content: int
    n_read: int
    n_passed: int
    reason: Literal["no_element"] | None


def localisations(truth: Sequence[Box], predictions: Sequence[Box]) -> list[Localisation]:
    """Every true box of a page against the predictions on it.

    Args:
        truth, predictions: (x0, y0, x1, y1) in one unit, whichever: only shares count.

    Raises:
        BoxError: a box is not four finite numbers.
    """
    for name, boxes in (("True box", truth), ("Prediction", predictions)):
        for number, box in enumerate(boxes, start=1):
            if not is_box(box):
                raise BoxError(f"{name} {number} is {box!r}: a box is four finite numbers.")
    return [_localisation(place, box, predictions) for place, box in enumerate(truth)]


def element_passes(truth: Sequence[Element], predictions: Sequence[Element]) -> list[ElementPass]:
    """What became of each true element; predictions count on their own page only."""
    by_page: dict[tuple[str, int], list[Element]] = defaultdict(list)
    for prediction in predictions:
        by_page[prediction.document, prediction.page].append(prediction)
    return [_judged(element, by_page[element.document, element.page]) for element in truth]


def pass_rate(passes: Sequence[ElementPass]) -> PassRate:
    """Element Pass Rate over elements of any number of pages."""
    n_passed = sum(found.passed for found in passes)
    return PassRate(
        value=n_passed / len(passes) if passes else None,
        n_elements=len(passes),
        n_localised=sum(found.localised for found in passes),
        n_classified=sum(found.classified for found in passes),
        n_with_content=sum(found.read is not None for found in passes),
        n_read=sum(found.read is True for found in passes),
        n_passed=n_passed,
        reason=None if passes else "no_element",
    )


def token_f1(truth: str, prediction: str) -> float:
    """F1 of the two texts' words as multisets, without case; 0 where they share none.

    Markup of HTML tables is left out; characters are compared in Unicode's compatibility form.
    """
    wanted, given = Counter(_tokens(truth)), Counter(_tokens(prediction))
    shared = (wanted & given).total()
    return 2 * shared / (wanted.total() + given.total()) if shared else 0.0


def _localisation(place: int, truth: Box, predictions: Sequence[Box]) -> Localisation:
    best, fit = None, (False, -1.0)
    for number, prediction in enumerate(predictions):
        own = (localises(prediction, truth), iou(prediction, truth))
        if own > fit:
            best, fit = number, own
    if best is None:
        return Localisation(place, None, 0.0, 0.0, 0.0, False)
    found = predictions[best]
    return Localisation(place, best, ioa(truth, found), ioa(found, truth), fit[1], fit[0])


def _judged(element: Element, predictions: Sequence[Element]) -> ElementPass:
    has_content = bool(_tokens(element.content or ""))
    here = [found for found in predictions if localises(found.rect, element.rect)]
    labelled = [found.label == element.label for found in here]
    read = [
        not has_content or token_f1(element.content or "", found.content or "") >= CONTENT_F1
        for found in here
    ]
    return ElementPass(
        element=element.id,
        localised=bool(here),
        classified=any(labelled),
        read=any(read) if has_content else None,
        passed=any(both for both in map(all, zip(labelled, read, strict=True))),
    )


def _tokens(text: str) -> list[str]:
    if _TABLE.search(text):
        text = _without_markup(text)
    return _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())


def _without_markup(text: str) -> str:
    reader = _Words()
    reader.feed(text)
    reader.close()
    return " ".join(reader.kept)


class _Words(HTMLParser):
    """What stands between the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[str] = []

    def handle_data(self, data: str) -> None:
        self.kept.append(data)
