"""Writes the dataset card, which tells ``datasets.load_dataset`` and Hugging Face the data files.

``load_dataset`` caches a folder's rows under a hash of the card's configurations. Each has the
hash of its file, so that another export into the same folder is read again.

Source: huggingface.co/docs/hub/datasets-manual-configuration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pagetrail.exports.reading.source import WrittenFiles
from pagetrail.storage.files.digests import file_sha256

CARD = "README.md"


def save_card(
    folder: Path, tally: WrittenFiles, configurations: Mapping[str, str], split: str, text: str
) -> None:
    """Write the card; arguments as in ``card_text``."""
    content = card_text(folder, configurations, split, text)
    (folder / CARD).write_text(content, encoding="utf-8", newline="\n")
    tally.rows[CARD] = 1


def card_text(
    folder: Path,
    configurations: Mapping[str, str],
    split: str,
    text: str,
    front: Sequence[str] = (),
) -> str:
    """The card.

    Args:
        folder: has the written files.
        configurations: name → path of its only file in the folder.
        split: split of all files.
        text: description in Markdown; text from the data must be escaped.
        front: further lines of the YAML front matter.
    """
    lines = ["---", *front, "configs:"]
    for name, path in configurations.items():
        lines += [f"- config_name: {name}", "  data_files:", f"  - split: {split}"]
        lines += [f"    path: {path}", f"  description: SHA-256 {file_sha256(folder / path)}"]
    return "\n".join([*lines, "---", "", text]) + "\n"
