"""Are two tasks the same to an annotator, so that seeing one gives away the other?"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Container, Mapping
from typing import Any, Literal, NamedTuple

from pagetrail.annotation.tasks.task import given_pages

RETAKE_OF = "retake_of"
"""Key of the record under which a task of a repeated pilot names the one it was copied from."""


def matching_id(id_: str, stored_ids: Container[str]) -> str:
    """The stored id that a file means: the same, or the one without the white space around it."""
    return id_ if id_ in stored_ids else id_.strip()


class ShownTask(NamedTuple):
    """A stored task, with the setting that decides which pages its campaign shows with it.

    Attributes:
        key: its id in its campaign.
        pages: the protocol's setting of that name.
    """

    key: str
    record: Mapping[str, Any]
    pages: Literal["search", "given", "gold"]

    def is_same_as(self, other: ShownTask) -> bool:
        """Whether both ask the same question, or come from the same row, about shared material.

        A question may come back with other pages to read or another prediction to judge; such
        tasks differ. Where one of the two shows no pages, the question alone decides.
        """
        if not (self._asks_the_same(other) or self._is_same_row(other)):
            return False
        return not any(
            material and other_material and material.isdisjoint(other_material)
            for material, other_material in zip(self._materials(), other._materials(), strict=True)
        )

    def _asks_the_same(self, other: ShownTask) -> bool:
        return question_key(self.record) == question_key(other.record)

    def _is_same_row(self, other: ShownTask) -> bool:
        """Same id and same gold: a row of a dataset, also where its question was reworded."""
        material, other_material = (
            (task.record.get("answer_variants") or [], task.record.get("evidence") or [])
            for task in (self, other)
        )
        return self.key == other.key and material == other_material and any(material)

    def _materials(self) -> tuple[frozenset[object], frozenset[object]]:
        """The pages shown with the question, and the predicted answer to judge."""
        prediction = self.record.get("prediction")
        judged_answer = prediction.get("answer") if isinstance(prediction, dict) else prediction
        return (
            frozenset(given_pages(self.pages, dict(self.record)) or ()),
            frozenset() if judged_answer is None else frozenset({json.dumps(judged_answer)}),
        )


def question_key(record: Mapping[str, Any]) -> str:
    """Hash of a task's question that ignores case, spaces and punctuation.

    16 hexadecimal digits of the SHA-256 of its letters, marks and digits in NFKC.
    """
    text = unicodedata.normalize("NFKC", str(record.get("question", ""))).casefold()
    words = "".join(char for char in text if unicodedata.category(char)[0] in "LMN")
    return hashlib.sha256((words or text).encode("utf-8", "surrogatepass")).hexdigest()[:16]
