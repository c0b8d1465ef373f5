"""The pages for those who carry the project on say what the code does, and their links lead on."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pyarrow as pa
import pytest

import tests.e2e
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.protocols.review_parts import review_parts
from pagetrail.exports.formats.labels import SCHEMA
from pagetrail.exports.formats.trajectories import ATTEMPT_SCHEMA, EVENT_SCHEMA
from pagetrail.exports.reports.metrics.scores import SCHEMA as SCORES
from pagetrail.exports.reports.render.reasons import REASONS
from pagetrail.exports.run import FORMATS

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LAYERS = [
    contract
    for contract in tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"][
        "importlinter"
    ]["contracts"]
    if contract["type"] == "layers"
]


def page(name: str) -> str:
    """A page of docs/."""
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """The part of a page under a heading, up to the next of its level."""
    match = re.search(rf"^## {heading}\n(.*?)(?=^#{{1,2}} |\Z)", text, re.DOTALL | re.MULTILINE)
    assert match is not None, heading
    return match[1]


def anchors(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them: numbered where they are repeated."""
    titles = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M), re.M)
    slugs = [re.sub(r"[^\w -]", "", title.casefold()).replace(" ", "-") for title in titles]
    return {*slugs, *(f"{s}-{slugs[:n].count(s)}" for n, s in enumerate(slugs) if s in slugs[:n])}


def test_every_export_format_is_documented() -> None:
    """docs/formats.md has a section for each format, to which docs/researchers.md links."""
    undocumented = undocumented_formats(page("formats.md"))
    assert not undocumented, f"docs/formats.md needs a section “## NAME” for each of {undocumented}"
    links = {format_.docs_anchor or name for name, format_ in FORMATS.items()}
    assert links <= anchors(page("formats.md"))
    contents = page("formats.md").partition("\n## ")[0]
    unlisted = {link for link in links if f"(#{link}" not in contents}
    assert not unlisted, f"link to {unlisted} in the list at the top of docs/formats.md"


def undocumented_formats(text: str) -> set[str]:
    """Export formats without a section in a page; a section may be of two."""
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    return FORMATS.keys() - {name for heading in headings for name in heading.split(" and ")}


@pytest.mark.parametrize(
    ("heading", "schema"),
    [
        ("trajectories", EVENT_SCHEMA),
        ("trajectories", ATTEMPT_SCHEMA),
        ("labels", SCHEMA),
        ("scores", SCORES),
    ],
)
def test_every_column_is_documented(heading: str, schema: pa.Schema) -> None:
    """The section of a format names all columns of its tables."""
    text = section(page("formats.md"), heading)
    assert [name for name in schema.names if f"`{name}`" not in text] == []


def test_every_reason_is_documented() -> None:
    """docs/metrics.md lists each reason that reports put into words."""
    text = page("metrics.md")
    of_rows_left_out = {"no_search", "undecided", "effort_not_positive", "effort_missing"}
    assert [r for r in REASONS if f"`{r}`" not in text and r not in of_rows_left_out] == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    """Links within the repository name files that exist, and headings that those files have."""
    text = path.read_text(encoding="utf-8")
    broken = []
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"```.*?```", "", text, flags=re.S)):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = (path.parent / name) if name else path
        if not file.exists() or (
            anchor and anchor not in anchors(file.read_text(encoding="utf-8"))
        ):
            broken.append(target)
    assert broken == []


@pytest.mark.parametrize("name", ["architecture.md", "extending.md"])
def test_named_files_exist(name: str) -> None:
    """Every path that these pages name is there; NAME and SUBJECT stand for a new one."""
    named_paths = re.findall(r"`([\w.-]+/[\w./-]*)`", page(name))
    assert len(named_paths) > 20
    new = ("NAME", "SUBJECT")
    assert [
        path
        for path in named_paths
        if not (ROOT / path).exists() and not any(word in path for word in new)
    ] == []


def test_named_journeys_exist() -> None:
    """Each path and test that the list of journeys names is there; a test in the file before it."""
    folder, path = ROOT / "tests" / "e2e", Path()
    names = re.findall(r"``([\w/.]+)``", tests.e2e.__doc__ or "")
    missing_tests = []
    for name in names:
        if name.startswith("test_"):
            if f"def {name}(" not in path.read_text(encoding="utf-8"):
                missing_tests.append(name)
        else:
            path = ROOT / name if name.startswith("tests/") else folder / name
            assert path.exists(), name
    assert len(names) > 40
    assert missing_tests == []


def test_faults_are_tested() -> None:
    """docs/operations.md, Faults: each row says all, and its tests exist."""
    table = section(page("operations.md"), "Faults").partition("|---|")[2]
    rows = [line.strip("| ").split(" | ") for line in table.splitlines() if "`" in line]
    assert len(rows) >= 30
    named_modules = set()
    for row in rows:
        fault, seen, advice, tested_by = row
        assert fault and seen and advice
        names = []
        for name in re.findall("`(.+?)`", tested_by):
            if name.startswith("test_"):
                names.append(name)
                continue
            path = ROOT / "tests" / name
            source = path.read_text(encoding="utf-8")
            assert [n for n in names if f"def {n}(" not in source] == [], fault
            named_modules.add(path)
            names = []
        assert names == [], fault
    interruptions = (ROOT / "tests" / "e2e" / "interruptions").glob("test_*.py")
    assert set(interruptions) <= named_modules


def test_decisions_are_where_the_table_says() -> None:
    """docs/architecture.md, Where is it decided: each file defines the names."""
    table = section(page("architecture.md"), "Where is it decided")
    rows = [line.split(" | ") for line in table.splitlines() if "`" in line]
    assert len(rows) >= 10
    for question, files, names in rows:
        source = "".join((ROOT / path).read_text("utf-8") for path in re.findall("`(.+?)`", files))
        for name in re.findall("`(.+?)`", names):
            definition = rf"^ *(?:(?:def|class) {name}\b|{name}(?:: .*)? = )"
            assert re.search(definition, source, re.MULTILINE), (question, name)


@pytest.mark.parametrize("folder", ["annotation", "storage", "exports", "app"])
def test_the_map_has_the_layers(folder: str) -> None:
    """docs/architecture.md lists the packages of a folder in the layers that are enforced."""
    (layers,) = (c["layers"] for c in LAYERS if c["containers"] == [f"pagetrail.{folder}"])
    text = page("architecture.md").partition(f"### {folder}/\n")[2].partition("\n#")[0]
    rows = re.findall(r"^\| (\d+) \|(.*)\|$", text, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, len(layers) + 1))
    for layer, (_, row) in zip(layers, rows, strict=True):
        for package in layer.split(" | "):
            assert f"`{package}`" in row or f"`{package}.py`" in row, package


def test_the_parts_of_the_review_rule_exist() -> None:
    """Commands and settings name parts of a preset; a name that is none would be refused."""
    text = page("supervisors.md")
    commands = re.findall(r"settings (\w+) --set review\.parts\.(\w+)", text)
    commands += [("relevance", name) for name in re.findall(r"^parts = \{ (\w+)", text, re.M)]
    assert len(commands) == 2
    for name, part in commands:
        assert part in review_parts(preset(name))
