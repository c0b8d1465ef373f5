"""Text blocks of a page from its words: what a simple layout model would find."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pagetrail.storage.corpus.page_values import Word

Rect = tuple[float, float, float, float]
MIN_COLUMNS = 3
ROW_GAP = 16.0
"""Points between two rows of one table, at most."""


@dataclass
class Block:
    """Words that belong together."""

    words: list[Word] = field(default_factory=list)

    @property
    def rect(self) -> Rect:
        """The words' common rectangle in points, a little wider than they are."""
        return (
            round(min(w.x0 for w in self.words) - 1, 2),
            round(min(w.y0 for w in self.words) - 1, 2),
            round(max(w.x1 for w in self.words) + 1, 2),
            round(max(w.y1 for w in self.words) + 1, 2),
        )

    @property
    def text(self) -> str:
        """The words in reading order, one line after the other."""
        lines: list[list[Word]] = []
        for word in sorted(self.words, key=lambda w: ((w.y0 + w.y1) / 2, w.x0)):
            middle = (word.y0 + word.y1) / 2
            if lines and lines[-1][0].y0 <= middle <= lines[-1][0].y1:
                lines[-1].append(word)
            else:
                lines.append([word])
        return "\n".join(
            " ".join(w.text for w in sorted(line, key=lambda w: w.x0)) for line in lines
        )


def blocks(words: Sequence[Word]) -> list[Block]:
    """Words joined while they are nearer to each other than a line is high; top-down."""
    merged_blocks: list[Block] = []
    for word in words:
        height = word.y1 - word.y0
        neighbours = [
            block for block in merged_blocks if any(_are_near(word, w, height) for w in block.words)
        ]
        merged = Block([word, *(w for block in neighbours for w in block.words)])
        merged_blocks = [block for block in merged_blocks if block not in neighbours] + [merged]
    joined = _tables(merged_blocks)
    return sorted(joined, key=lambda block: (round(block.rect[1] / 6), block.rect[0]))


def _tables(text_blocks: list[Block]) -> list[Block]:
    """The blocks, with those that are side by side in rows joined into tables."""
    rows: list[list[Block]] = []
    for block in sorted(text_blocks, key=lambda b: b.rect[1]):
        if rows and block.rect[1] < max(b.rect[3] for b in rows[-1]):
            rows[-1].append(block)
        else:
            rows.append([block])
    result: list[Block] = []
    table: Block | None = None
    for row in rows:
        row_block = Block([word for block in row for word in block.words])
        if len(row) < MIN_COLUMNS:
            result += row
            table = None
        elif table is not None and row_block.rect[1] - table.rect[3] < ROW_GAP:
            table.words += row_block.words
        else:
            table = row_block
            result.append(table)
    return result


def _are_near(a: Word, b: Word, height: float) -> bool:
    across = max(a.x0, b.x0) - min(a.x1, b.x1)
    down = max(a.y0, b.y0) - min(a.y1, b.y1)
    return across <= 0.9 * height and down <= 0.75 * height


def label_of(block: Block, page_height: float) -> str:
    """The class of a block, from its position and its share of numbers."""
    _, y0, _, y1 = block.rect
    if y1 < 0.075 * page_height:
        return "Page-Header"
    if y0 > 0.93 * page_height:
        return "Page-Footer"
    numeric_words = sum(any(sign.isdigit() for sign in word.text) for word in block.words)
    return "Table" if len(block.words) >= 8 and numeric_words > 0.25 * len(block.words) else "Text"


def lines_with(words: Sequence[Word], texts: Sequence[str]) -> Rect | None:
    """The lines that have any of the wanted words; None if there are none."""
    sought = {text.casefold().strip(".,;:()%£") for text in texts if text.strip()}
    hits = [w for w in words if w.text.casefold().strip(".,;:()%£") in sought]
    if not hits:
        return None
    block = Block([w for w in words if any(_same_line(w, hit) for hit in hits[:2])])
    return block.rect


def _same_line(a: Word, b: Word) -> bool:
    return b.y0 <= (a.y0 + a.y1) / 2 <= b.y1 and abs(a.x0 - b.x0) < 260
