"""Protocols as data: the presets, reading and overriding, and what contradicts itself."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagetrail.annotation.errors import NotFoundError, ProtocolError
from pagetrail.annotation.protocols.protocol import (
    RESERVED,
    Protocol,
    guidelines,
    load,
    parse,
    preset,
    preset_names,
    with_overrides,
)
from tests.annotation.given_pages import TOML

REQUIRED = {"search", "oracle", "relevance", "verify", "qa_review", "author", "judge"}
presets = pytest.mark.parametrize("name", preset_names())


def test_the_presets_that_must_exist() -> None:
    """Those of the design, and the two variants of verifying with tables."""
    assert set(preset_names()) == REQUIRED | {
        "author_blind",
        "trajectory",
        "transcribe",
        "variants",
        "verify_chart",
        "verify_table",
        "verify_transcript",
    }


@presets
def test_a_preset_has_its_name_and_survives_storage(name: str) -> None:
    """Its name is its file's; JSON and a dictionary give back the same protocol."""
    protocol = preset(name)
    assert protocol.name == name
    assert Protocol.model_validate(protocol.model_dump(mode="json")) == protocol
    assert Protocol.model_validate_json(protocol.model_dump_json()) == protocol
    assert with_overrides(protocol, {}) == protocol


@presets
def test_a_preset_can_be_worked_through_with_keys(name: str) -> None:
    """No key stands for two things on one screen, and every label has one."""
    protocol = preset(name)
    for scope in ("task", "page"):
        keys = [o.key for f in protocol.scoped(scope) for o in f.options if o.key]  # type: ignore[arg-type]
        assert len(set(keys)) == len(keys)
    assert all(protocol.boxes.keys().values())


@presets
def test_a_preset_explains_what_it_asks(name: str) -> None:
    """A title, guidelines, and a sentence of help for each label of a box."""
    protocol = preset(name)
    assert protocol.title and guidelines(name)
    assert all(label.help for label in protocol.boxes.labels)


def test_the_relevance_preset_is_the_published_one() -> None:
    """Grades 2, 1, 0; seven modalities and N/A; 30 pages; N/A only with 0 (ViDoRe V3)."""
    protocol = preset("relevance")
    grades = protocol.field("relevance")
    modalities = protocol.field("modalities")
    assert grades is not None and modalities is not None
    assert [(o.value, o.code, o.key) for o in grades.options] == [
        ("2", 2, "2"),
        ("1", 1, "1"),
        ("0", 0, "0"),
    ]
    assert grades.kind == "ordinal" and grades.advance
    assert [o.label for o in modalities.options] == [
        label.name for label in protocol.boxes.labels
    ] + ["N/A"]
    assert modalities.options[-1].exclusive and modalities.options[-1].when is not None
    assert (protocol.max_pages, protocol.answer.unanswerable, protocol.evidence.enabled) == (
        30,
        True,
        False,
    )


def test_there_is_no_such_preset() -> None:
    """The message lists those that exist."""
    with pytest.raises(NotFoundError, match="verify_transcript"):
        preset("serach")


def test_a_file_of_ones_own(tmp_path: Path) -> None:
    """Read like a preset; what is wrong with it names the file."""
    good = tmp_path / "own.toml"
    good.write_text(TOML, encoding="utf-8")
    assert load(good).name == "own"
    bad = tmp_path / "bad.toml"
    for content in (b"name = ", b'name = "\xff"', b'name = "x"\nnmae = 1'):
        bad.write_bytes(content)
        with pytest.raises(ProtocolError, match=r"bad\.toml"):
            load(bad)
    with pytest.raises(ProtocolError, match=r"absent\.toml"):
        load(tmp_path / "absent.toml")


OVERRIDES: list[tuple[str, str, Any]] = [
    ("search", "search.top_k", 10),
    ("search", "batch_size", 5),
    ("relevance", "boxes.max_per_page", 7),
    ("relevance", "fields.relevance.required", False),
    ("relevance", "fields.relevance.options.2.label", "Voll"),
    ("relevance", "boxes.labels.Chart.key", "c"),
    ("relevance", "boxes.when", None),
    ("verify_chart", "fields.data_points.columns.value.kind", "number"),
    ("qa_review", "pages_after", ()),
    ("judge", "clock.limit_s", 60),
]


@pytest.mark.parametrize(("name", "key", "value"), OVERRIDES)
def test_any_part_can_be_overridden(name: str, key: str, value: Any) -> None:
    """By dotted key; fields, options, labels and columns by their names; nothing else changes."""
    base = preset(name)
    changed = with_overrides(base, {key: value})
    assert changed != base
    path = key.split(".")
    undone = with_overrides(changed, {key: _look(base.model_dump(), path)})
    assert undone == base
    assert _look(changed.model_dump(), path) == value


def _look(node: Any, path: list[str]) -> Any:
    for key in path:
        if isinstance(node, dict):
            node = node[key]
        else:
            node = next(e for e in node if key in (e.get("name"), e.get("value")))
    return node


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("serach.top_k", 5, "no setting 'serach.top_k'"),
        ("search.topk", 5, "no setting 'search.topk'"),
        ("fields.colour.required", True, "no setting 'fields.colour.required'"),
        ("name.first", "x", "no setting 'name.first'"),
        ("", 1, "no setting ''"),
        ("search.top_k.deep", 1, "no setting"),
        ("search.top_k", 0, "search.top_k"),
        ("search.top_k", "many", "search.top_k"),
        ("answer.kind", "video", "answer.kind"),
        ("boxes.labels", (), "boxes need at least one label|boxes: boxes need"),
        ("boxes.when", {"field": "colour", "values": ["1"]}, "no earlier field 'colour'"),
        ("fields.relevance.kind", "text", "takes no options"),
        ("fields.relevance.name", "grade", "no earlier field 'relevance'"),
    ],
)
def test_overrides_that_make_no_sense(key: str, value: Any, message: str) -> None:
    """The key or the part that contradicts it is named, and the base stays as it is."""
    base = preset("relevance")
    before = base.model_dump()
    with pytest.raises(ProtocolError, match=message):
        with_overrides(base, {key: value})
    assert base.model_dump() == before


FIELDS = """
[[fields]]
name = "good"
label = "Good"
kind = "boolean"

[[fields]]
name = "grade"
label = "Grade"
kind = "choice"
scope = "page"
options = [{ value = "1", label = "One" }, { value = "2", label = "Two" }]

[[fields]]
name = "note"
label = "Note"
kind = "text"
"""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ('[[fields]]\nname="good"\nlabel="x"\nkind="text"', "the name 'good' is there twice"),
        (
            '[[fields]]\nname="answer"\nlabel="x"\nkind="text"',
            "'answer' names a part of the screen",
        ),
        (
            '[[fields]]\nname="x"\nlabel="x"\nkind="text"\nwhen={field="y", values=["1"]}',
            "no earlier field 'y' in reach; fields: good, note",
        ),
        (
            '[[fields]]\nname="x"\nlabel="x"\nkind="text"\nwhen={field="x", values=["1"]}',
            "no earlier field 'x'",
        ),
        (
            '[[fields]]\nname="x"\nlabel="x"\nkind="text"\nwhen={field="grade", values=["1"]}',
            "no earlier field 'grade' in reach",
        ),
        (
            '[[fields]]\nname="x"\nlabel="x"\nkind="text"\nwhen={field="note", values=["a"]}',
            "'note' is a text field; conditions look at choices",
        ),
        (
            '[[fields]]\nname="x"\nlabel="x"\nkind="text"\nwhen={field="good", values=["yes"]}',
            "'good' has no value 'yes'; allowed values: true, false",
        ),
        (
            '[[fields]]\nname="x"\nlabel="x"\nkind="text"\nscope="page"\n'
            'when={field="grade", values=["1", "3"]}',
            "'grade' has no value '3'; allowed values: 1, 2",
        ),
        (
            '[[fields]]\nname="x"\nlabel="x"\nkind="choice"\n'
            'options=[{value="a", label="A", when={field="z", values=["1"]}}]',
            "fields.3.options.0.when: there is no earlier field 'z'",
        ),
        ('[[fields]]\nname="x"\nlabel="x"\nkind="text"\nscope="box"', "boxes are off"),
        ('[boxes]\nlabels=[{name="A"}]\nwhen={field="good", values=["no"]}', "boxes.when: 'good'"),
        ('[boxes]\nlabels=[{name="A"}, {name="A"}]', "the label 'A' is there twice"),
        (
            '[boxes]\nlabels=[{name="A", key="k"}, {name="B", key="k"}]',
            "the key 'k' is there twice",
        ),
        ("[boxes]\nenabled=true", "at least one label"),
        ("[boxes]\nseed=true", "boxes.seed: boxes are off"),
        ('[boxes]\nenabled=true\nlabels=[{name="A"}]\ncheck_all=true', "needs boxes.seed"),
        ('[question]\nblocking=["giveaway"]', "question.blocking: needs question.checks"),
        ("[question]\nchecks=true", 'needs question.kind = "editable"'),
        ('[question]\nblocking=["spelling"]', "question.blocking"),
        ('[[material]]\nsource="summary"\ntitle="S"\nafter=["grade"]', "no task field 'grade'"),
        ("[pilot]\npass_mark=1.5", "pilot.pass_mark"),
    ],
)
def test_parts_that_contradict_each_other(more: str, message: str) -> None:
    """The sentence names the key, the offending value and what is allowed."""
    with pytest.raises(ProtocolError) as caught:
        parse(f"{TOML}{FIELDS}{more}", source="own.toml")
    assert caught.value.message.startswith("own.toml: ")
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ('ends = { field = "good", values = ["maybe"] }', "ends: 'good' has no value 'maybe'"),
        ('ends = { field = "grade", values = ["1"] }', "ends: there is no earlier field 'grade'"),
        ('pages_after = ["grade"]', "no task field 'grade'; task fields: good, note"),
        ('requires = "Pilot"\npilot.enabled = true', "a pilot cannot require another pilot"),
    ],
)
def test_settings_that_contradict_the_fields(head: str, message: str) -> None:
    """Settings of the whole task look at its fields."""
    with pytest.raises(ProtocolError, match=message):
        parse(f"{head}\n{TOML}{FIELDS}", source="own.toml")


def test_pages_cannot_be_locked_where_they_are_searched() -> None:
    """``pages_after`` needs given pages."""
    with pytest.raises(ProtocolError, match="pages_after: needs pages"):
        with_overrides(
            preset("search"), {"fields": tomllib.loads(FIELDS)["fields"], "pages_after": ("good",)}
        )


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_no_field_takes_the_name_of_a_part(name: str) -> None:
    """Refusals and missing parts are keyed by these names."""
    text = f'{TOML}[[fields]]\nname="{name}"\nlabel="x"\nkind="text"'
    with pytest.raises(ProtocolError, match="choose another name"):
        parse(text, source="own.toml")


@given(st.lists(st.sampled_from("123456789abc"), max_size=12, unique=True), st.integers(0, 6))
def test_labels_get_the_digits_that_are_left(chosen_keys: list[str], unnamed: int) -> None:
    """Keys that were chosen stay; the others get 1–9 in order, none twice; then there are none."""
    labels = [{"name": f"own{key}", "key": key} for key in chosen_keys]
    labels += [{"name": f"free{n}"} for n in range(unnamed)]
    if not labels:
        return
    boxes = {"boxes.labels": tuple(labels), "boxes.when": None}
    keys = with_overrides(preset("relevance"), boxes).boxes.keys()
    assert [keys[f"own{key}"] for key in chosen_keys] == chosen_keys
    used = [key for key in keys.values() if key]
    assert len(set(used)) == len(used)
    free = [keys[f"free{n}"] for n in range(unnamed)]
    left = [digit for digit in "123456789" if digit not in chosen_keys]
    assert free == (left + [None] * unnamed)[:unnamed]


def test_closed_kinds_are_those_with_options() -> None:
    """Every closed field of every preset lists its categories: agreement rests on them."""
    for name in preset_names():
        for field in preset(name).fields:
            assert field.rules.takes_options == bool(field.options)


def test_an_unknown_choice_is_refused_with_the_valid_ones() -> None:
    """In this project's words, with what was given."""
    with pytest.raises(ProtocolError, match=r"review\.accept: must be 'agreed', .*, not 'maybe'"):
        with_overrides(preset("search"), {"review.accept": "maybe"})
