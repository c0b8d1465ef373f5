"""Two people's versions of a table as one with choices, and the gold that these give."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.completeness import gold_missing
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.table_state import Table, Tables
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import TextDecision
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.protocols.sections import ReviewPart
from pagetrail.annotation.review import Pick, Submission, merge
from pagetrail.annotation.review.merging import draft_state
from pagetrail.annotation.review.table_merging import CombinedTable, table_pairs, table_steps
from pagetrail.annotation.tables.cells import table_cells
from pagetrail.annotation.tables.grid import Cell, Grid
from pagetrail.annotation.tables.parsing import parse_tables

VERIFY = preset("verify_table")
PAGES = [("b.pdf", 2)]
RIVERS = [["River", "2004", "2005"], ["Saale", "1O", "12"], ["Unstrut", "7", "8"]]


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """A table of up to 4 × 4 positions with any spans."""
    n_rows, n_columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    covered: set[tuple[int, int]] = set()
    cells = []
    for row in range(n_rows):
        for column in range(n_columns):
            if (row, column) in covered:
                continue
            rowspan, colspan = draw(st.integers(1, n_rows - row)), draw(st.integers(1, 4))
            colspan = min(colspan, n_columns - column)
            text = draw(st.sampled_from(["a", "b", "c d", "e  f", ""]))
            cell = Cell(row, column, text, rowspan, colspan, draw(st.booleans()))
            if covered & set(cell.slots):
                cell = Cell(row, column, text, is_header=cell.is_header)
            covered |= set(cell.slots)
            cells.append(cell)
    return Grid.from_cells(cells, caption=draw(st.sampled_from(["", "t"])))


def grid(rows: Sequence[Sequence[str]], n_header_rows: int = 1) -> Grid:
    return Grid.from_texts(rows, n_header_rows)


def parsed(html: str) -> Grid:
    (table,) = parse_tables(f"<table>{html}</table>")
    return table.grid


def decision(table: CombinedTable, number: int, way: str, text: str = "") -> TextDecision:
    difference = table.differences[number]
    return TextDecision.model_validate(
        {
            "number": number,
            "left": difference.left,
            "right": difference.right,
            "decision": way,
            "text": text,
        }
    )


def merged(left: Grid, right: Grid, ways: Sequence[str], text: str = "") -> Grid | None:
    """The table that these decisions give, one per difference."""
    table = CombinedTable(left, right)
    assert len(table.differences) == len(ways), table.differences
    return table.merged({n: decision(table, n, way, text) for n, way in enumerate(ways)})


def plain(table: Grid | None) -> Grid | None:
    """The table with single spaces."""
    if table is None:
        return None
    cells = tuple(cell._replace(text=" ".join(cell.text.split())) for cell in table.cells)
    return Grid(table.n_rows, table.n_columns, cells, table.caption)


@given(grids(), grids())
def test_one_side_everywhere_gives_its_table(left: Grid, right: Grid) -> None:
    """But for white space in a cell, of which the left one's is taken."""
    n_differences = len(CombinedTable(left, right).differences)
    assert merged(left, right, ["left"] * n_differences) == left
    assert plain(merged(left, right, ["right"] * n_differences)) == plain(right)


@given(grids())
def test_equal_tables_have_no_difference(table: Grid) -> None:
    assert not CombinedTable(table, table).differences
    assert CombinedTable(table, table).merged({}) == table


@given(grids(), grids(), st.randoms(use_true_random=False))
def test_whatever_is_decided_one_cell_covers_each_position(
    left: Grid, right: Grid, chance: random.Random
) -> None:
    table = CombinedTable(left, right)
    lines, texts = ["left", "right"], ["left", "right", "both", "edited"]
    ways = [chance.choice(texts if d.takes_text else lines) for d in table.differences]
    result = merged(left, right, ways, "x")
    if result is not None:
        slots = [slot for cell in result.cells for slot in cell.slots]
        expected = {(r, c) for r in range(result.n_rows) for c in range(result.n_columns)}
        assert sorted(slots) == sorted(expected)
        assert list(result.cells) == sorted(result.cells)
    shown = [slot for place in table.layout for slot in Cell(*place[:2], "", *place[2:4]).slots]
    n_slots = len(table.rows) * len(table.columns)
    assert len(shown) == len(set(shown)) == n_slots


@pytest.mark.parametrize(
    ("way", "text", "expected"),
    [
        ("left", "", "1O"),
        ("right", "", "10"),
        ("both", "", "1O 10"),
        ("edited", "<b>1O</b>", "<b>1O</b>"),
    ],
)
def test_a_text_that_differs(way: str, text: str, expected: str) -> None:
    other = [RIVERS[0], ["Saale", "10", " 12 "], RIVERS[2]]
    result = merged(grid(RIVERS), grid(other), [way], text)
    assert result is not None and result.texts()[1] == ["Saale", expected, "12"]


@pytest.mark.parametrize("is_left", [True, False])
@pytest.mark.parametrize("change", ["row", "column"])
def test_a_line_that_one_inserted_is_one_difference(change: str, is_left: bool) -> None:
    longer = (
        [*RIVERS[:2], ["Ilm", "3", "4"], RIVERS[2]]
        if change == "row"
        else [[*row[:1], text, *row[1:]] for row, text in zip(RIVERS, "xyz", strict=True)]
    )
    versions = (grid(longer), grid(RIVERS)) if is_left else (grid(RIVERS), grid(longer))
    (difference,) = CombinedTable(*versions).differences
    assert difference.kind == change
    assert (difference.left if is_left else difference.right) == (
        "Ilm | 3 | 4" if change == "row" else "x | y | z"
    )
    assert merged(*versions, ["left"]) == versions[0]
    assert merged(*versions, ["right"]) == versions[1]


def test_rows_that_both_inserted_are_decided_one_by_one() -> None:
    left = grid([*RIVERS, ["Ilm", "3", "4"]])
    right = grid([*RIVERS, ["Weiße Elster", "90", "81"]])
    kinds = [(d.kind, d.left, d.right) for d in CombinedTable(left, right).differences]
    assert kinds == [("row", "Ilm | 3 | 4", ""), ("row", "", "Weiße Elster | 90 | 81")]
    both = merged(left, right, ["left", "right"])
    assert both is not None and [row[0] for row in both.texts()[3:]] == ["Ilm", "Weiße Elster"]
    assert merged(left, right, ["right", "left"]) == grid(RIVERS)


def test_a_row_that_was_retyped_is_still_the_same_row() -> None:
    left, right = grid([*RIVERS, ["Ilm", "3000", "4000"]]), grid([*RIVERS, ["Ilrn", "3.000", "40"]])
    assert [d.kind for d in CombinedTable(left, right).differences] == ["text"] * 3


def test_header_marks_are_decided_by_line() -> None:
    marked, unmarked = grid(RIVERS), grid(RIVERS, n_header_rows=0)
    (difference,) = CombinedTable(unmarked, marked).differences
    assert (difference.kind, difference.row, difference.right) == (
        "header",
        0,
        "River | 2004 | 2005",
    )
    assert merged(unmarked, marked, ["left"]) == unmarked
    assert merged(unmarked, marked, ["right"]) == marked
    column = tuple(cell._replace(is_header=cell.column == 0) for cell in unmarked.cells)
    by_column = Grid(3, 3, column)
    (difference,) = CombinedTable(unmarked, by_column).differences
    assert (difference.row, difference.column) == (None, 0)


def test_merged_cells_are_one_difference_with_the_texts_they_cover() -> None:
    left = parsed("<tr><th colspan=2>Otters</th></tr><tr><td>1</td><td>2</td></tr>")
    right = parsed("<tr><th>Otters</th><th>Seals</th></tr><tr><td>1</td><td>3</td></tr>")
    kinds = [(d.kind, d.left, d.right) for d in CombinedTable(left, right).differences]
    assert kinds == [("cells", "Otters", "Otters | Seals"), ("text", "2", "3")]
    result = merged(left, right, ["right", "left"])
    assert result is not None
    assert result.texts() == [["Otters", "Seals"], ["1", "2"]]


def test_a_merged_header_stretches_over_a_column_that_is_inserted_below_it() -> None:
    left = parsed("<tr><th colspan=2>Otters</th></tr><tr><td>1</td><td>3</td></tr>")
    right = parsed("<tr><th colspan=3>Otters</th></tr><tr><td>1</td><td>2</td><td>3</td></tr>")
    (difference,) = CombinedTable(left, right).differences
    assert (difference.kind, difference.column) == ("column", 1)
    assert merged(left, right, ["right"]) == right


def test_a_header_of_one_stretches_over_the_other_one_s_column() -> None:
    """Left has a merged header row, right a further column; with both, nothing is cut."""
    body = "<tr><td>1</td><td>3</td></tr><tr><td>4</td><td>6</td></tr>"
    left = parsed(f"<tr><th colspan=2>Otters</th></tr>{body}")
    right = parsed("<tr><td>1</td><td>2</td><td>3</td></tr><tr><td>4</td><td>5</td><td>6</td></tr>")
    kinds = [difference.kind for difference in CombinedTable(left, right).differences]
    assert kinds == ["column", "row"]
    result = merged(left, right, ["right", "left"])
    assert result is not None and result.cells[0] == Cell(0, 0, "Otters", 1, 3, True)


def test_a_table_of_which_nothing_is_kept_is_none() -> None:
    left, right = grid([["a", "b"]], 0), grid([["xyz", "uvw"]], 0)
    assert merged(left, right, ["right", "left"]) is None


def person(name: str, **tables: Grid) -> Submission:
    """Somebody who submitted these tables."""
    versions = [
        Table(
            id=table_id,
            document="b.pdf",
            page=2,
            caption=version.caption,
            n_rows=version.n_rows,
            n_columns=version.n_columns,
            cells=table_cells(version),
        )
        for table_id, version in tables.items()
    ]
    state = AttemptState(
        status="submitted", outcome="completed", tables=Tables(tables=tuple(versions))
    )
    return Submission(Form(VERIFY, state, PAGES), name, name)


def gold(
    people: Sequence[Submission], pick: Pick | None = None, rule: ReviewPart | None = None
) -> ev.GoldMerged:
    picks = {"tables": pick} if pick else {}
    seqs = {submission.attempt: 5 for submission in people}
    return merge(people, picks, rule or ReviewPart(), lambda *_: (612.0, 792.0), seqs)


def pick_all(a: Submission, b: Submission, way: Callable[[int], str]) -> Pick:
    """Every difference of two people's tables, decided by its number."""
    differences = [d for pair in table_pairs(a, b) for d in pair.differences]
    decisions = [
        TextDecision.model_validate(
            {"number": n, "left": d.left, "right": d.right, "decision": way(n)}
        )
        for n, d in enumerate(differences)
    ]
    return Pick("pick", sides=(a.attempt, b.attempt), text_decisions=tuple(decisions))


def texts(event: ev.GoldMerged) -> dict[str, list[list[str]]]:
    """The tables' texts, as the fold of the event has them."""
    tables = draft_state(event).tables.tables
    return {table.id: table.grid.texts() for table in tables}


CORRECTED = [RIVERS[0], ["Saale", "10", "12"], RIVERS[2]]


def test_equal_tables_become_gold_and_others_stay_open() -> None:
    assert texts(gold([person("a1", t1=grid(RIVERS)), person("a2", t1=grid(RIVERS))])) == {
        "t1": RIVERS
    }
    event = gold([person("a1", t1=grid(RIVERS)), person("a2", t1=grid(CORRECTED))])
    assert event.tables is None
    assert [choice.part for choice in event.choices if choice.tied] == ["tables"]
    missing = gold_missing(Form(VERIFY, draft_state(event), PAGES))
    assert missing["tables"].startswith("No tables chosen.")


def test_the_tables_nearest_to_the_others_are_proposed() -> None:
    versions = [RIVERS, CORRECTED, CORRECTED]
    people = [person(f"a{n}", t1=grid(version)) for n, version in enumerate(versions)]
    for order in (people, people[::-1]):
        assert texts(gold(order)) == {"t1": CORRECTED}


def test_a_campaign_can_allow_cells_to_differ() -> None:
    people = [person("a1", t1=grid(RIVERS)), person("a2", t1=grid(CORRECTED))]
    lenient = ReviewPart(parts={"tables": 0.2})
    assert texts(gold(people, rule=lenient)) == texts(gold(people[::-1], rule=lenient))


def test_decided_differences_are_the_gold_and_are_stored() -> None:
    """The differences of all tables are numbered through; a table of one is taken or left."""
    a = person("a1", t1=grid(RIVERS), t2=grid([["x"]]))
    b = person("a2", t1=grid(CORRECTED), t3=grid([["y"]]))
    pick = pick_all(a, b, lambda number: ("right", "left", "left")[number])
    event = gold([a, b], pick)
    assert texts(event) == {"t1": CORRECTED, "t2": [["x"]]}
    (choice,) = (choice for choice in event.choices if choice.part == "tables")
    assert (choice.sides, choice.text_decisions) == (("a1", "a2"), pick.text_decisions)
    assert "tables" not in gold_missing(Form(VERIFY, draft_state(event), PAGES))
    assert texts(gold([a, b], Pick("side", "a2"))) == {"t1": CORRECTED, "t3": [["y"]]}


def test_merged_tables_are_compared_with_the_next_person_s() -> None:
    """Of the third only what differs from the merge is asked; numbers run through."""
    people = [
        person("a1", t1=grid(RIVERS)),
        person("a2", t1=grid(CORRECTED)),
        person("a3", t1=grid([*CORRECTED, ["Ilm", "3", "4"]]), t2=grid([["x"]])),
    ]
    first = pick_all(people[0], people[1], lambda _: "right").text_decisions
    sides = ("a1", "a2", "a3")
    assert gold(people, Pick("pick", sides=sides, text_decisions=first)).tables is None
    steps = table_steps(people, first)
    assert [step.first_number for step in steps] == [0, 1]
    added = [difference for pair in steps[1].pairs for difference in pair.differences]
    assert [difference.kind for difference in added] == ["row", "table"]
    second = [
        TextDecision(number=number, left=d.left, right=d.right, decision=decision)
        for (number, d), decision in zip(enumerate(added, start=1), ("right", "left"), strict=True)
    ]
    pick = Pick("pick", sides=sides, text_decisions=(*first, *second))
    assert texts(gold(people, pick)) == {"t1": [*CORRECTED, ["Ilm", "3", "4"]]}
    with pytest.raises(Refusal, match="no longer there"):
        gold(people, Pick("pick", sides=sides, text_decisions=tuple(second)))


def test_open_differences_leave_the_tables_open() -> None:
    a, b = person("a1", t1=grid(RIVERS)), person("a2", t1=grid([*CORRECTED, ["Ilm", "3", "4"]]))
    pick = pick_all(a, b, lambda _: "left")
    part = Pick("pick", sides=pick.sides, text_decisions=pick.text_decisions[:1])
    event = gold([a, b], part)
    assert event.tables is None
    assert "tables" in gold_missing(Form(VERIFY, draft_state(event), PAGES))


def test_all_tables_can_be_left_out() -> None:
    a, b = person("a1", t1=grid(RIVERS)), person("a2")
    event = gold([a, b], pick_all(a, b, lambda _: "right"))
    assert event.tables == ()
    assert "tables" not in gold_missing(Form(VERIFY, draft_state(event), PAGES))


def test_impossible_picks_are_refused() -> None:
    a, b = person("a1", t1=grid(RIVERS)), person("a2", t1=grid([*CORRECTED, ["Ilm", "3", "4"]]))
    with pytest.raises(Refusal, match="which two"):
        gold([a, b], Pick("pick", sides=("a1",)))
    changed = pick_all(a, person("a2", t1=grid([["x", "y", "z"]])), lambda _: "left")
    with pytest.raises(Refusal, match="no longer there"):
        gold([a, b], changed)
    with pytest.raises(Refusal, match="one person’s version"):
        gold([a, b], pick_all(a, b, lambda _: "both"))
    long = person("a3", t1=grid([RIVERS[0], ["Saale", "x" * 19_999, "12"], RIVERS[2]]))
    with pytest.raises(Refusal, match="too long"):
        gold([a, long], pick_all(a, long, lambda _: "both"))


def test_large_tables_that_differ_everywhere_are_aligned() -> None:
    """200 rows of 40 columns; one row is gone and every tenth cell has another text."""
    rows = [[f"{row}-{column}" for column in range(40)] for row in range(200)]
    other = [
        [f"{text}x" if (row + column) % 10 == 0 else text for column, text in enumerate(texts)]
        for row, texts in enumerate(rows)
        if row != 77
    ]
    table = CombinedTable(grid(rows), grid(other))
    kinds = [difference.kind for difference in table.differences]
    assert kinds.count("row") == 1
    assert len(kinds) == 1 + sum(text.endswith("x") for line in other for text in line)
