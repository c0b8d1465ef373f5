"""The card by which ``datasets.load_dataset`` and Hugging Face know which files make up what.

Source: huggingface.co/docs/hub/datasets-manual-configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from pagetrail.exports.reading.source import Written

CARD = "README.md"


def save_card(
    folder: Path, written: Written, configurations: Mapping[str, str], split: str, text: str
) -> None:
    """Write the card.

    Args:
        configurations: name → path of its only file, below the folder.
        split: that all of them have.
        text: about the data set; nothing in it comes from the data.
    """
    lines = ["---", "configs:"]
    for name, path in configurations.items():
        lines += [f"- config_name: {name}", "  data_files:", f"  - split: {split}"]
        lines += [f"    path: {path}"]
    lines += ["---", "", text]
    (folder / CARD).write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    written.rows[CARD] = 1
