"""What foreign programs check when they open an export, written from their documentation.

The programs themselves are large: where they are installed other tests open the files with them,
and these hold everywhere.
"""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from pagetrail.exports.run import export
from tests.exports.conftest import Exported, load, rows
from tests.exports.formats.test_trec_runs import out as trec_runs  # noqa: F401 – a fixture
from tests.support.factory import make_workspace, work


def test_coco_by_datumaros_rules(exported: Exported) -> None:
    """A subset per ``instances_NAME.json``, images below ``images``, ids that are unique and met,
    boxes inside their image, flat attributes (open-edge-platform.github.io/datumaro, COCO).
    """
    _, out = exported("verify", "coco")
    subsets = sorted((out / "annotations").glob("*.json"))
    assert all(re.fullmatch(r"instances_[^/]+\.json", path.name) for path in subsets)
    for path in subsets:
        data = load(path)
        images = {image["id"]: image for image in data["images"]}
        categories = {category["id"] for category in data["categories"]}
        assert len(images) == len(data["images"]) and min(categories) >= 1
        assert all((out / "images" / image["file_name"]).is_file() for image in images.values())
        ids = [annotation["id"] for annotation in data["annotations"]]
        assert len(set(ids)) == len(ids)
        for annotation in data["annotations"]:
            image = images[annotation["image_id"]]
            x, y, width, height = annotation["bbox"]
            assert x >= 0 and y >= 0 and width > 0 and height > 0
            assert x + width <= image["width"] + 0.02 and y + height <= image["height"] + 0.02
            assert annotation["area"] == pytest.approx(width * height, rel=1e-3)
            assert annotation["category_id"] in categories and annotation["iscrowd"] == 0
            ((*outline,),) = annotation["segmentation"]
            assert len(outline) >= 6 and len(outline) % 2 == 0
            values = annotation["attributes"].values()
            assert all(isinstance(value, str | int | float | bool) for value in values)


def test_label_studio_by_its_sdks_rules(exported: Exported) -> None:
    """Each result names a control and an object of the interface, is of that control's type, and
    uses its labels; places are percent (labelstud.io/guide, Import pre-annotations).
    """
    _, out = exported("verify", "labelstudio")
    view = ET.fromstring((out / "config.xml").read_text(encoding="utf-8"))
    controls = {tag.get("name"): tag for tag in view if tag.get("toName")}
    objects = {tag.get("name") for tag in view if (tag.get("value") or "").startswith("$")}
    assert {tag.get("toName") for tag in controls.values()} <= objects
    tasks = load(out / "tasks.json")
    given = [each for task in tasks for each in (*task["annotations"], *task["predictions"])]
    regions: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for number, each in enumerate(given):
        for result in each["result"]:
            control = controls[result["from_name"]]
            assert result["to_name"] == control.get("toName")
            assert result["type"] == control.tag.lower()
            regions[f"{number} {result['id']}"].append(result)
            if result["type"] == "rectanglelabels":
                assert set(result["value"]["rectanglelabels"]) <= {
                    label.get("value") for label in control.iter("Label")
                }
                place = [result["value"][side] for side in ("x", "y", "width", "height")]
                assert all(0 <= side <= 100 for side in place)
    assert "image" in tasks[0]["data"]
    per_region = [r for found in regions.values() for r in found if r["from_name"] == "text"]
    assert per_region and all(
        regions_of["value"]["x"] is not None and len(regions_of["value"]["text"]) == 1
        for regions_of in per_region
    )


def test_beir_by_its_loaders_rules(exported: Exported) -> None:
    """``GenericDataLoader``: texts and titles by ``_id``; of the qrels, a header and then query,
    document and a whole number, tab by tab; only queries that are judged count.
    """
    _, out = exported("relevance", "beir")
    corpus = {
        line["_id"]: {"text": line.get("text"), "title": line.get("title")}
        for line in rows(out / "corpus.jsonl")
    }
    queries = {line["_id"]: line.get("text") for line in rows(out / "queries.jsonl")}
    qrels: dict[str, dict[str, int]] = {}
    with (out / "qrels" / "test.tsv").open(encoding="utf-8") as file:
        reader = csv.reader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL)
        next(reader)
        for row in reader:
            qrels.setdefault(row[0], {})[row[1]] = int(row[2])
    judged = {query: queries[query] for query in qrels}
    assert judged and all(isinstance(text, str) and text for text in judged.values())
    assert all(set(found) <= set(corpus) for found in qrels.values())
    assert all(isinstance(entry["text"], str) for entry in corpus.values())
    assert any(score > 0 for found in qrels.values() for score in found.values())


def _ranking(path: Path) -> dict[str, list[str]]:
    """Query → documents as trec_eval ranks them: by score alone, whatever the rank says."""
    found: dict[str, list[tuple[float, str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, q0, document, rank, score, tag = line.split()
        assert q0 == "Q0" and int(rank) >= 1 and tag
        found.setdefault(query, []).append((float(score), document))
    return {query: [d for _, d in sorted(pages, reverse=True)] for query, pages in found.items()}


def _relevant(path: Path) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        found.setdefault(query, set()).update({document} if int(grade) > 0 else set())
    return found


@pytest.mark.parametrize(
    ("below", "name", "expected"),
    [
        ("", "annotator-2", (0.5, 0.25)),
        ("", "agent", (1.0, 1.0)),
        ("", "annotator-1", (0.5, 0.5)),
        ("by-query", "annotator-2", (0.5, 1 / 3)),
    ],
)
def test_runs_by_trec_evals_rules(
    trec_runs: Path,  # noqa: F811
    below: str,
    name: str,
    expected: tuple[float, float],
) -> None:
    """Reciprocal rank and recall at 5 by definition; a judged query without a ranking is 0."""
    folder = trec_runs / below
    ranked = _ranking(folder / "runs" / f"{name}.txt")
    relevant = _relevant(folder / "qrels" / f"{name}.txt")
    ranks, recalls = [], []
    for query, pages in relevant.items():
        found = ranked.get(query, [])
        hits = [place for place, page in enumerate(found, start=1) if page in pages]
        ranks.append(1 / hits[0] if hits else 0.0)
        recalls.append(len(pages & set(found[:5])) / len(pages))
    mean = (sum(ranks) / len(ranks), sum(recalls) / len(recalls))
    assert mean == pytest.approx(expected)


def test_the_datasets_card_names_what_load_dataset_opens(tmp_path: Path) -> None:
    """Each configuration of the front matter has a split and a Parquet file that is there."""
    workspace = make_workspace(tmp_path / "ws", campaign="Otters")
    work(workspace)
    export(workspace, "Otters", "dataset", tmp_path / "out")
    front = (tmp_path / "out" / "README.md").read_text(encoding="utf-8").split("---\n")[1]
    named = re.findall(
        r"- config_name: (\S+)\n  data_files:\n  - split: (\S+)\n    path: (\S+)", front
    )
    assert [name for name, _, _ in named] == ["tasks", "attempts", "events", "scores", "documents"]
    for _, split, path in named:
        assert split == "test" and pq.read_table(tmp_path / "out" / path).num_rows
    assert "size_categories:\n- n<1K\n" in front
