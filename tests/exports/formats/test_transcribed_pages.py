"""Transcribed pages as ParseBench's dataset, for its loader and rules, and as plain files."""

from __future__ import annotations

import csv
import io
import random
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.agreement.table_similarity import grits_content, table_record_match
from pagetrail.annotation.tables.parsing import parse_tables
from pagetrail.exports.formats.parsebench_dataset import CATEGORIES
from pagetrail.exports.formats.parsebench_text_rules import (
    LONG_SENTENCE,
    MANY_SENTENCES,
    content_rules,
    formatting_rules,
)
from pagetrail.exports.run import export
from pagetrail.exports.writing.markdown_html import html_page, markdown_html
from tests.exports.adjudication import Bench
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import Exported, StageOf, left_out, rows
from tests.exports.worked_campaigns import transcribe
from tests.support.foreign_programs import foreign

MARKDOWN = {
    "plain": "# Annual report\n\nThe **otter** is a carnivorous mammal. It eats 1.5 kg a day!\n\n"
    "See note<sup>1</sup> of the <u>report</u>, ~~49.99~~ 39.99, H<sub>2</sub>O and *all* of it.",
    "tables": "## Counts by year\n\n| Year | Otters |\n| --- | --- |\n| 2003 | 1,050 |\n\n"
    "<table><tr><th>Year</th><th>Seals</th></tr><tr><td>2003</td><td>12</td></tr></table>\n\n"
    "- First item of the list\n- Second item, with `code here`",
    "repeated": "Total revenue. Total revenue grew. TOTAL REVENUE\n\nDirectors. The director left.",
    "chinese": "检查结果。今天天气很好！检查\n\nフェンハロウの報告書、第二章。",
    "thai and hindi": "กรุงเทพมหานคร เป็นเมืองหลวง\nहिन्दी में लिखा हुआ वाक्य।",
    "french": "Le café est fermé. L'équipage attend; où ? <mark>marqué</mark>",
    "short": "12 ... 3",
    "empty": "",
}


def loaded_cases(folder: Path) -> dict[str, Any]:
    """What ParseBench's own loader makes of an export, by category."""
    loader = foreign("parse_bench.test_cases.loader")
    return {case.group: case for case in loader.load_test_cases(folder)}


def score(rule: Any, markdown: str) -> float:
    """What ParseBench's own program gives a text by one rule."""
    create = foreign("parse_bench.evaluation.metrics.parse.rules_base").create_test_rule
    outcome = create(rule).run(markdown)
    return float(outcome[2] if len(outcome) > 2 else outcome[0])


def typed(rule: Any) -> Any:
    return foreign("parse_bench.test_cases.parse_rule_schemas").coerce_parse_rule(rule)


@pytest.mark.parametrize("name", MARKDOWN)
def test_a_text_passes_its_own_rules(name: str) -> None:
    """ParseBench's own program gives the text full marks on each of them."""
    text = MARKDOWN[name]
    for rule in (*content_rules(text), *formatting_rules(text)):
        assert score(typed({"type": rule.type, **rule.payload}), text) == 1, rule


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        (("It eats 1.5 kg a day!", ""), {"missing_sentence_percent", "missing_word_percent"}),
        (("1.5", "1.8"), {"bag_of_digit_percent"}),
        (("a day", "a day each morning"), {"unexpected_word_percent"}),
        (("**otter**", "otter"), {"is_bold"}),
        (("~~49.99~~", "49.99"), {"is_strikeout"}),
        (("# Annual report", "Annual report"), {"is_title"}),
    ],
)
def test_errors_fail_the_rules_that_are_made_for_them(
    change: tuple[str, str], failing: set[str]
) -> None:
    text = MARKDOWN["plain"]
    failed = {
        rule.type
        for rule in (*content_rules(text), *formatting_rules(text))
        if score(typed({"type": rule.type, **rule.payload}), text.replace(*change)) < 1
    }
    assert failing <= failed


def test_rules_without_the_program() -> None:
    """Counts, order and formatting, worked out by hand."""
    text = "# Otters\n\nThe **otter** swims well. The otter eats 12 fish.\n\nThe end."
    rules = {rule.type: rule.payload for rule in content_rules(text)}
    assert rules["missing_word_percent"]["bag_of_word"] == {
        "otters": 1, "the": 3, "otter": 2, "swims": 1, "well": 1, "eats": 1, "12": 1, "fish": 1,
        "end": 1,
    }  # fmt: skip
    assert rules["bag_of_digit_percent"]["bag_of_digit"] == {"1": 1, "2": 1}
    assert rules["missing_sentence_percent"]["bag_of_sentence"] == {
        "The otter eats 12 fish": 1,
        "The end": 1,
    }
    assert [rule for rule in formatting_rules(text)] == [
        ("is_title", {"text": "Otters", "level": 1}),
        ("is_bold", {"text": "otter"}),
    ]
    assert content_rules("") == formatting_rules("") == []


def test_parsebench_loads_texts_and_scores_them(exported: Exported, stage_of: StageOf) -> None:
    """The text of the last round is what passes; an error in it fails."""
    _, out = exported("transcribe", "parsebench-dataset")
    _, pages = exported("transcribe", "pages")
    text = (pages / "annual report.pdf" / "page-0003.md").read_text("utf-8")
    loader = foreign("parse_bench.test_cases.loader")
    cases = {(case.group, case.file_path.name): case for case in loader.load_test_cases(out)}
    names = {file.name for file in (out / "images").iterdir()}
    assert {name for _, name in cases} == names
    case = cases["text_content", "annual report.pdf-page-3.jpg"]
    assert len(case.test_rules) > 5
    for rule in case.test_rules:
        assert score(rule, text) == 1
    assert any(score(rule, text.replace("Otters", "Seals")) < 1 for rule in case.test_rules)


def test_parsebench_loads_tables_and_reads_their_records(exported: Exported) -> None:
    """Its GriTS and TableRecordMatch are 1 for the table itself, and near ours for another."""
    _, out = exported("compared_tables", "parsebench-dataset")
    case = loaded_cases(out)["table"]
    assert not case.trm_unsupported
    html = case.expected_markdown
    metric = foreign("parse_bench.evaluation.metrics.parse.table_record_match_metric")
    wrong = html.replace("<td>20</td>", "<td>77</td>")
    for text, expected in ((html, 1.0), (wrong, None)):
        (value,) = (
            value
            for value in metric.TableRecordMatchMetric().compute(html, text)
            if value.metric_name == "table_record_match"
        )
        ours = [
            table_record_match(table.grid.records(), other.grid.records())
            for table, other in zip(parse_tables(html), parse_tables(text), strict=True)
        ]
        mean = sum(filter(None, ours)) / len(ours)
        assert value.value == pytest.approx(mean)
        assert expected is None or mean == expected


def test_grits_equals_the_published_program_where_cells_are_equal_or_unlike() -> None:
    """It takes ``difflib``'s common subsequences, which for cells of one letter are ours."""
    reference = foreign("parse_bench.evaluation.metrics.parse.grits_metric")
    numpy = foreign("numpy")
    left = [["a", "b", "c"], ["d", "e", "f"], ["g", "h", "i"]]
    for right in (left, left[:2], [row[::-1] for row in left], [["a", "x", "c"], *left[1:]]):
        published, *_ = reference.grits_con(numpy.array(left), numpy.array(right))
        assert grits_content(left, right) == pytest.approx(published)


def test_parsebench_loads_points_and_finds_them(exported: Exported) -> None:
    _, out = exported("verify_chart", "parsebench-dataset")
    _, pages = exported("verify_chart", "pages")
    table = "| Year | Otters |\n| --- | --- |\n| 2024 | 42 |\n| 2025 | 41 |\n| 2027 | 1,050 t |\n"
    case = loaded_cases(out)["chart"]
    assert [rule.value for rule in case.test_rules] == ["42", "41", "1,050 t"]
    found = [score(rule, table) for rule in case.test_rules]
    assert found == [1, 1, 1]
    assert score(case.test_rules[0], table.replace("42", "52")) == 0
    assert (pages / "annual report.pdf" / "page-0001-data_points.csv").exists()


def test_parsebench_loads_elements(exported: Exported) -> None:
    _, out = exported("verify", "parsebench-dataset")
    loader = foreign("parse_bench.test_cases.loader")
    cases = [case for case in loader.load_test_cases(out) if case.group == "layout"]
    annotations = [a for case in cases for a in case.get_layout_annotations()]
    assert len(annotations) == len(rows(out / "layout.jsonl")) > 0
    for annotation in annotations:
        x, y, width, height = annotation.bbox
        assert min(x, y, width, height) >= 0 and max(x + width, y + height) <= 1
        assert annotation.page == 0


def test_every_file_is_there_with_one_rule_per_line(exported: Exported) -> None:
    """All five files, whatever a campaign has; ids are unique in each."""
    for scene in ("transcribe", "compared_tables", "verify_chart", "verify", "relevance"):
        _, out = exported(scene, "parsebench-dataset")
        for category in CATEGORIES:
            lines = rows(out / f"{category}.jsonl")
            assert len({line["id"] for line in lines}) == len(lines)
            assert all((out / line["pdf"]).is_file() for line in lines)


def test_the_last_to_submit_counts_and_gold_instead_where_it_is_asked_for(
    exported: Exported, tmp_path: Path
) -> None:
    manifest, out = exported("transcribe", "pages")
    assert left_out(manifest)["attempt", "transcribed_again_later"] == 1
    last = (out / "annual report.pdf" / "page-0001.md").read_text("utf-8")
    stage = transcribe(tmp_path / "ws")
    Bench(stage).decide(2)
    export(stage.workspace, CAMPAIGN, "pages", tmp_path / "gold", gold="adjudicated")
    files = {path.name for path in (tmp_path / "gold" / "annual report.pdf").iterdir()}
    assert files == {"page-0003.md", "page-0003.html"}
    gold = (tmp_path / "gold" / "annual report.pdf" / "page-0003.md").read_text("utf-8")
    assert gold == (out / "annual report.pdf" / "page-0003.md").read_text("utf-8")
    assert last


def test_tables_are_written_as_markdown_html_and_csv(exported: Exported) -> None:
    _, out = exported("compared_tables", "pages")
    folder = out / "annual report.pdf"
    assert {path.name for path in folder.iterdir()} == {
        "page-0001.md", "page-0001.html", "page-0001-counts.csv", "page-0001-notes.csv",
    }  # fmt: skip
    counts = list(csv.reader(io.StringIO((folder / "page-0001-counts.csv").read_text("utf-8"))))
    assert counts == [["River", "2003", "2005"], ["Saale", "10", "12"], ["Unstrut", "20", "=24"]]
    html = (folder / "page-0001.html").read_text("utf-8")
    assert "estimated &lt;b&gt;" in html and "<b>" not in html
    assert next(table.grid.texts() for table in parse_tables(html)) == counts


ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "![x](https://example.org/x.png)",
    "[x](javascript:alert(1))",
    "<a href='javascript:alert(1)'>x</a>",
    "<table onclick=a(1)><tr><td><script>a(1)</script><img src=x onerror=y></td></tr></table>",
    "a <sup onmouseover=alert(1)>b</sup> <b style=x>c</b> <iframe src=x></iframe>",
    "<table><tr><td>x</td></tr></table><script>alert(1)</script>",
    "</body></html><script>alert(1)</script>",
]


class _Tags(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_of_a_text_becomes_active_html(attack: str) -> None:
    reader = _Tags()
    reader.feed(html_page(attack, markdown_html(f"Text\n\n{attack}\n\nand {attack}")))
    for tag, attributes in reader.tags:
        assert tag not in ("script", "img", "iframe", "link", "object")
        assert not any(name.startswith("on") for name in attributes)
        assert "javascript" not in (attributes.get("href") or "").lower()


def test_formatting_and_tables_stay() -> None:
    html = markdown_html(
        "# Otters\n\nH<sub>2</sub>O and **more**, ~~less~~\n\n| a |\n| --- |\n| 1 |\n\n"
        "<table><tr><th colspan=2>x</th></tr><tr><td>1</td><td>2</td></tr></table>"
    )
    for part in ("<h1>", "<sub>2</sub>", "<strong>", "<s>", "<td>1</td>", '<th colspan="2">x</th>'):
        assert part in html
    assert markdown_html("*" * 30_000).startswith("<pre>")


@pytest.mark.parametrize("n_words", [2, 40])
def test_many_sentences_are_counted_as_one_by_one(n_words: int) -> None:
    """Short ones as whole words, long ones anywhere, none overlapping itself."""
    rng = random.Random(n_words)
    words = ["".join(rng.choices("abcé1", k=4)) for _ in range(n_words)]
    lengths = [2, 2, 2, 3, 4, 5]
    lines = [" ".join(rng.choices(words, k=rng.choice(lengths))) for _ in range(1_500)]
    lines += [f"{line}ab" for line in lines[:50]] + ["abab abab abab"]
    (rule,) = [
        rule
        for rule in content_rules("\n\n".join(lines))
        if rule.type == "missing_sentence_percent"
    ]
    text = " ".join(lines).lower()
    bag = rule.payload["bag_of_sentence"]
    one_length = Counter(map(len, bag)).most_common(1)[0][1]
    assert (one_length > MANY_SENTENCES) is (n_words == 40)
    for sentence, number in bag.items():
        lowered = sentence.lower()
        pattern = re.escape(lowered)
        if len(lowered) < LONG_SENTENCE:
            pattern = rf"(?<!\w){pattern}(?!\w)"
        assert number == max(len(re.findall(pattern, text)), lines.count(sentence)), sentence
