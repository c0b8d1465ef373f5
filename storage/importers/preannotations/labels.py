"""Maps the class of a pre-annotation to one of the campaign's labels."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from pagetrail.storage.database.storable_text import printable

_COARSER_LABELS = {
    "title": "section",
    "sectionheader": "section",
    "section": "text",
    "listitem": "text",
    "caption": "text",
    "footnote": "text",
    "formula": "text",
    "code": "text",
    "documentindex": "text",
    "form": "text",
    "keyvalueregion": "text",
    "checkboxselected": "text",
    "checkboxunselected": "text",
    "figure": "picture",
    "image": "picture",
    "chart": "picture",
}
"""ParseBench's canonical classes and those into which it merges them, plus synonyms of Picture;
letters only."""

_SIGNS = re.compile(r"[\W_]+")


class Labels:
    """Reads class names as labels of a closed list.

    Args:
        names: the labels; None accepts every class name unchanged.
        mapping: class → label, ignoring the case of the class.
    """

    def __init__(self, names: Sequence[str] | None, mapping: Mapping[str, str]) -> None:
        self.names = None if names is None else tuple(names)
        self._mapping = {name.casefold(): label for name, label in mapping.items()}
        self._spelt = {
            _letters_only(name): name for name in reversed(names or ()) if _letters_only(name)
        }

    def read_label(self, class_name: str) -> tuple[str | None, bool]:
        """The label, and whether it is coarser than the class; None for an unknown class.

        A class matches a label that differs only in case and punctuation (``page_header`` and
        ``Page-Header``), or else the coarser one into which ParseBench merges it.
        """
        mapped = self._mapping.get(class_name.casefold())
        if mapped is not None:
            return mapped, False
        if self.names is None or class_name in self.names:
            return class_name, False
        letters = _letters_only(class_name)
        if letters in self._spelt:
            return self._spelt[letters], False
        while (letters := _COARSER_LABELS.get(letters, "")) != "":
            if letters in self._spelt:
                return self._spelt[letters], True
        return None, False

    def unknown_label_reason(self, class_name: str) -> str:
        """Reason for refusing an unknown class, with a suggestion."""
        names = self.names or ()
        close = get_close_matches(class_name[:100], names, 1, 0.7)
        suggestion = f"; did you mean {close[0]}?" if close else "."
        labels_shown = ", ".join(names) if names else "none"
        return (
            f"label: {printable(class_name[:60])!r} is not a class of this campaign{suggestion} "
            f"Classes: {labels_shown}. You can map one class to another"
        )


def _letters_only(name: str) -> str:
    return _SIGNS.sub("", name).casefold()
