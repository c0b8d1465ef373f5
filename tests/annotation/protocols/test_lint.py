"""Protocol files that are wrong: all problems at once, with line, key, value, what is allowed."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.errors import ProtocolError
from pagetrail.annotation.protocols.lint import lint
from pagetrail.annotation.protocols.protocol import parse, preset_names

WRONG = """nmae = "mine"
title = "Is there a chart?"
pages = "giving"
batch_size = 0

[search]
enabled = "maybe"
top-k = 5

[boxes]
labels = [{ name = "A", key = "12" }]

[[fields]]
name = "Chart"
label = "x"
kind = "choise"

[[fields]]
name = "two"
label = "Two"
kind = "boolean"
when = { field = "three", values = [] }

[pilot]
pass_mark = 1.5
"""


def test_all_problems_of_a_file_are_named_at_once() -> None:
    """File, line, key, the offending value and the allowed ones; in the order of the lines."""
    sentences = [problem.sentence("mine.toml") for problem in lint(WRONG)]
    starts = [
        "mine.toml:1: nmae: there is no such key; did you mean 'name'? Keys: name, title, pages",
        "mine.toml:3: pages: must be 'search', 'given' or 'gold', not 'giving'",
        "mine.toml:4: batch_size: must be at least 1, not 0",
        "mine.toml:7: search.enabled: must be true or false, not 'maybe'",
        "mine.toml:8: search.top-k: there is no such key; did you mean 'top_k'?",
        "mine.toml:11: boxes.labels.A.key: must be one letter or digit in quotes, not '12'",
        "mine.toml:14: fields.Chart.name: must be a lower-case letter and then such letters",
        "mine.toml:16: fields.Chart.kind: must be 'choice', 'multi', 'ordinal', 'boolean'",
        "mine.toml:22: fields.two.when.values: is empty",
        "mine.toml:25: pilot.pass_mark: must be at most 1, not 1.5",
    ]
    assert len(sentences) == len(starts)
    for sentence, start in zip(sentences, starts, strict=True):
        assert sentence.startswith(start)


def test_contradictions_between_parts_are_found_along_with_misspelt_keys() -> None:
    """A misspelt key counts as what it was meant for, so that it hides nothing and adds nothing."""
    text = """name = "x"
title = "X"
ends = { field = "quality", values = ["poor"] }
pages_after = ["nothing"]
[boxes]
enabeld = true
labels = [{ name = "A" }]
[question]
checks = true
[[fields]]
name = "around"
label = "Around"
scope = "box"
kind = "boolean"
"""
    sentences = [problem.sentence("x.toml") for problem in lint(text)]
    assert sentences == [
        "x.toml:3: ends: there is no earlier field 'quality' in reach; fields: none",
        "x.toml:4: pages_after: there is no task field 'nothing'; task fields: none",
        'x.toml:4: pages_after: needs pages = "given" or "gold"',
        sentences[3],
        'x.toml:9: question.checks: needs question.kind = "editable"',
    ]
    assert sentences[3].startswith(
        "x.toml:6: boxes.enabeld: there is no such key; did you mean 'en"
    )


def test_several_things_wrong_with_one_field() -> None:
    """They come together, not one at each try."""
    text = """name = "x"
title = "X"
[[fields]]
name = "k"
label = "K"
kind = "ordinal"
options = [{ value = "1", label = "1" }, { value = "1", label = "2" }]
min = 3
max = 1
"""
    (problem,) = lint(text)
    assert (problem.line, problem.key) == (3, "fields.k")
    for part in ("has the option '1' twice", "needs a code", "has a min above its max"):
        assert part in problem.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "mine.toml:1: is not TOML: invalid value"),
        ('name = "x"\ntitle = \nx = 1', "mine.toml:2: is not TOML: invalid value (column 9)"),
        ("", "mine.toml: name: is missing"),
        ("fields = 3", "mine.toml:1: fields: must be a list in square brackets, not 3"),
        ("search = 3", "mine.toml:1: search: must be a table, not 3"),
        ("name = 3", "mine.toml:1: name: must be text in quotes, not 3"),
        ("batch_size = 2.5", "mine.toml:1: batch_size: must be a whole number, not 2.5"),
        ("[[fields]]\nmin = 'x'", "mine.toml:2: fields.1.min: must be a number, not 'x'"),
        ("title = ''", "mine.toml:1: title: is empty"),
        ("colour = 1", "mine.toml:1: colour: there is no such key. Keys: name, title"),
    ],
)
def test_message_for_each_kind_of_mistake(text: str, message: str) -> None:
    """A sentence that names the line, the value and what is allowed."""
    assert any(problem.sentence("mine.toml").startswith(message) for problem in lint(text))


@pytest.mark.parametrize("name", preset_names())
def test_the_presets_have_no_problem(name: str) -> None:
    """What comes with the product passes its own check."""
    assert (
        lint(
            (files("pagetrail.annotation.protocols") / "presets" / f"{name}.toml").read_text(
                "utf-8"
            )
        )
        == []
    )


_VALUES: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.integers(-5, 300),
    st.sampled_from(["search", "given", "", "x", "ordinal", "editable"]),
    st.lists(st.sampled_from(["verdict", "x"]), max_size=2),
)


@given(st.sampled_from(preset_names()), st.data())
def test_the_check_and_the_parser_agree(name: str, data: st.DataObject) -> None:
    """Whatever value is put wherever: the check finds something exactly if the parser refuses."""
    tree = tomllib.loads(
        (files("pagetrail.annotation.protocols") / "presets" / f"{name}.toml").read_text("utf-8")
    )
    node: Any = tree
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.booleans()):
            break
        node = node[key]
    node[key] = data.draw(_VALUES)
    text = _toml(tree)
    assert tomllib.loads(text) == tree
    try:
        parse(text, source="x")
    except ProtocolError:
        assert lint(text)
    else:
        assert lint(text) == []


def _toml(value: Any, top: bool = True) -> str:
    if isinstance(value, dict):
        pairs = [f'"{key}" = {_toml(item, False)}' for key, item in value.items()]
        return "\n".join(pairs) if top else "{" + ", ".join(pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_toml(item, False) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return repr(value)


def test_a_key_that_means_something_else_already_is_refused() -> None:
    """Keys of the screen, of labels in box mode, and of other options, each with its line."""
    text = """name = "x"
title = "X"
[boxes]
enabled = true
labels = [{ name = "A" }, { name = "B", key = "H" }]
[[fields]]
name = "fits"
label = "Fits"
kind = "choice"
options = [
    { value = "well", label = "Well", key = "w" },
    { value = "badly", label = "Badly", key = "1" },
    { value = "cited", label = "Cited", key = "c" },
]
[[fields]]
name = "shown"
label = "Shown"
scope = "page"
kind = "choice"
options = [{ value = "yes", label = "Yes", key = "1" }]
[[fields]]
name = "legible"
label = "Legible"
scope = "box"
kind = "choice"
options = [{ value = "yes", label = "Yes", key = "1" }]
"""
    sentences = [problem.sentence("x.toml") for problem in lint(text)]
    suffix = "; choose another key"
    assert sentences == [
        f"x.toml:5: boxes.labels.B.key: 'H' already means “Hide or show the boxes”{suffix}",
        f"x.toml:11: fields.fits.options.well.key: 'w' already means “Fit width”{suffix}",
        f"x.toml:13: fields.fits.options.cited.key: 'c' already means “Add or remove as "
        f"citation”{suffix}",
        f"x.toml:20: fields.shown.options.yes.key: '1' already chooses 'badly' of 'fits'{suffix}",
        f"x.toml:26: fields.legible.options.yes.key: '1' already labels a box as 'A'{suffix}",
    ]
