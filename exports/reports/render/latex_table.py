"""A table as LaTeX: booktabs, intervals small, footnotes beneath, everything escaped."""

from __future__ import annotations

from collections.abc import Sequence

from pagetrail.exports.reports.charts.style import clean
from pagetrail.exports.reports.model import Column, Table
from pagetrail.exports.reports.render.formatting import MINUS, FormattedCell, heading, rows_shown

MANY_COLUMNS = 6
"""Maximum number of columns that fit the width of a page unscaled."""

LONGEST_NAME = 40

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    '"': r"\textquotedbl{}",
    # After the end of a row, a bracket would be read as its height and a star as its variant.
    "[": "{[}",
    "]": "{]}",
    "*": "{*}",
    "–": "--",
    "—": "---",
    "\u2212": "$-$",
    "\u00a0": "~",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "…": r"\dots{}",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "→": r"$\rightarrow$",
    "·": r"$\cdot$",
    "√": r"$\surd$",
    "∩": r"$\cap$",
    "∪": r"$\cup$",
    "α": r"$\alpha$",
    "κ": r"$\kappa$",
    "π": r"$\pi$",
    "θ": r"$\theta$",
    "ȳ": r"$\bar{y}$",
    "²": r"$^2$",
}


def escaped(text: str) -> str:
    """Text without LaTeX commands; letters of other scripts are unchanged."""
    # Two hyphens in a row would be joined into a dash.
    parts = clean(text).split("--")
    return "-{}-".join("".join(_ESCAPES.get(c, c) for c in part) for part in parts)


def latex_text(table: Table) -> str:
    """The table as a ``table`` environment with caption and label ``tab:<key>``.

    Shares are percentages. Footnotes and notes are below it. A table without rows says so.
    """
    rows, notes = rows_shown(table)
    is_wide = len(table.columns) > MANY_COLUMNS
    lines = [
        r"% Needs \usepackage[T1]{fontenc}, \usepackage{booktabs} and \usepackage{graphicx}.",
        "% Names in other scripts need XeLaTeX or LuaLaTeX with a font that has them.",
        r"\begin{table}[htbp]",
        r"\centering",
        r"\footnotesize" if is_wide else r"\small",
        *([r"\setlength{\tabcolsep}{4pt}"] if is_wide else []),
        rf"\caption{{{_sentence(table.title)}{_question(table)}}}",
        rf"\label{{tab:{table.key}}}",
        *([r"\resizebox{\linewidth}{!}{%"] if is_wide else []),
        rf"\begin{{tabular}}{{{_alignments(table.columns, rows)}}}",
        r"\toprule",
        _latex_line([escaped(heading(column)) for column in table.columns]),
        r"\midrule",
    ]
    before = "row"
    for row, cells in zip(table.rows, rows, strict=True):
        if row.kind != "row" and before == "row" and row is not table.rows[0]:
            lines.append(r"\midrule")
        before = row.kind
        lines.append(_latex_line([_cell(cell) for cell in cells]))
    if not rows:
        lines.append(rf"\multicolumn{{{len(table.columns)}}}{{l}}{{Nothing to show.}} \\")
    lines += [r"\bottomrule", r"\end{tabular}" + ("}" if is_wide else "")]
    beneath = [rf"\textsuperscript{{{letter}}} {_sentence(note)}" for letter, note in notes]
    beneath += [escaped(note) for note in table.notes]
    if beneath:
        lines += ["", r"\smallskip", r"\begin{minipage}{\linewidth}", r"\footnotesize"]
        lines += [f"{note}\\par" for note in beneath]
        lines.append(r"\end{minipage}")
    lines.append(r"\end{table}")
    return "\n".join(lines) + "\n"


def _latex_line(cells: Sequence[str]) -> str:
    return " & ".join(cells) + r" \\"


def _cell(cell: FormattedCell) -> str:
    parts = [escaped(cell.value)] if cell.value else []
    if cell.interval:
        parts.append(rf"{{\scriptsize {cell.interval.replace(MINUS, '$-$')}}}")
    if cell.undecided:
        parts.append(rf"{{\scriptsize {escaped(cell.undecided)}}}")
    mark = rf"\textsuperscript{{{cell.marker}}}" if cell.marker else ""
    return " ".join(parts) + mark


def _alignments(columns: Sequence[Column], rows: Sequence[Sequence[FormattedCell]]) -> str:
    """Text aligned left, wrapped if long; numbers aligned right."""
    alignments = []
    for i, column in enumerate(columns):
        longest = max((len(row[i].value) for row in rows), default=0)
        words = r"p{0.3\linewidth}" if longest > LONGEST_NAME else "l"
        alignments.append(words if column.kind == "text" else "r")
    return "".join(alignments)


def _question(table: Table) -> str:
    return f" {_sentence(table.question)}" if table.question not in ("", table.title) else ""


def _sentence(text: str) -> str:
    sentence = clean(text)
    return escaped(
        sentence[:1].upper() + sentence[1:] + ("" if sentence.endswith((".", "?", "!")) else ".")
    )
