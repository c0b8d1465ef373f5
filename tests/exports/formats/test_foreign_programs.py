"""What the programs that exports are made for read of them.

Others are opened where the rest of their format is tested: ``pycocotools`` with boxes, ``datasets``
and ``mlcroissant`` with the data set, ``ir_measures`` with runs, Inspect and Harbor with agents.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from pagetrail.exports.formats.vidore import CORPUS_FILE, QRELS_FILE, QUERIES_FILE
from pagetrail.exports.reading.source import WrittenFiles
from pagetrail.exports.run import export
from pagetrail.exports.writing.dataset_card import save_card
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import Exported, StageOf, load, rows
from tests.support.foreign_programs import foreign


def test_datumaro_opens_coco(exported: Exported) -> None:
    """A subset per annotator beside the merged one: images, boxes inside them, classes,
    attributes. (A polygon beside each box is the outline that the masks of pycocotools need.)
    """
    dataset = foreign("datumaro.components.dataset").Dataset
    _, out = exported("verify", "coco")
    imported = dataset.import_from(str(out), "coco")
    assert set(imported.subsets()) == {"annotator-1", "annotator-2", "merged"}
    (names,) = (kind for key, kind in imported.categories().items() if key.name == "label")
    for subset in imported.subsets().values():
        data = load(out / "annotations" / f"instances_{subset.name}.json")
        classes = {category["id"]: category["name"] for category in data["categories"]}
        files = {image["id"]: Path(image["file_name"]).stem for image in data["images"]}
        read = {
            (item.id, box.id): (names[box.label].name, box)
            for item in subset
            for box in item.annotations
            if box.type.name == "bbox"
        }
        sizes = {item.id: item.media.size for item in subset}
        assert sizes == {
            files[image["id"]]: (image["height"], image["width"]) for image in data["images"]
        }
        assert len(read) == len(data["annotations"]) > 0
        for annotation in data["annotations"]:
            page = files[annotation["image_id"]]
            label, box = read[page, annotation["id"]]
            assert label == classes[annotation["category_id"]]
            assert box.get_bbox() == pytest.approx(annotation["bbox"], abs=0.001)
            x, y, width, height = box.get_bbox()
            high, wide = sizes[page]
            assert min(x, y) >= 0 and x + width <= wide + 0.02 and y + height <= high + 0.02
            assert annotation["attributes"].items() <= box.attributes.items()


def test_label_studios_sdk_accepts_tasks(exported: Exported) -> None:
    """The interface is valid, and so is each annotation and prediction in it."""
    interface = foreign("label_studio_sdk.label_interface").LabelInterface
    _, out = exported("verify", "labelstudio")
    view = interface((out / "config.xml").read_text(encoding="utf-8"))
    view.validate()
    tasks = load(out / "tasks.json")
    for task in tasks:
        assert view.validate_task({"data": task["data"]})
        for annotation in (*task["annotations"], *task["predictions"]):
            # That of annotations says no more than yes or no, by the same rules.
            assert view.validate_prediction(annotation, return_errors=True) == []
    result = tasks[0]["annotations"][0]["result"][0]
    assert not view.validate_annotation({"result": [{**result, "from_name": "none"}]})


def test_beirs_loader_opens_beir(exported: Exported) -> None:
    """Texts of pages, queries that were judged, and grades; open pages have none."""
    loader = foreign("beir.datasets.data_loader").GenericDataLoader
    _, out = exported("relevance", "beir")
    corpus, queries, qrels = loader(str(out)).load(split="test")
    assert {page: entry["text"] for page, entry in corpus.items()} == {
        line["_id"]: line["text"] for line in rows(out / "corpus.jsonl")
    }
    assert queries == {
        "q%201": "How many otters\nwere counted?",
        "q%2F2": "otters rivers",
    }
    report = "annual%20report.pdf"
    assert qrels == {
        "q%201": {f"{report}#1": 1, "b.pdf#1": 0},
        "q%2F2": {f"{report}#1": 0, f"{report}#2": 0},
    }


def test_ir_measures_reads_trec(exported: Exported) -> None:
    """The grades of the file for BEIR, which has the same ids."""
    measures = foreign("ir_measures")
    _, out = exported("relevance", "trec")
    _, beir = exported("relevance", "beir")
    read = measures.read_trec_qrels(str(out / "qrels.txt"))
    lines = (beir / "qrels" / "test.tsv").read_text(encoding="utf-8").splitlines()[1:]
    assert [f"{qrel.query_id}\t{qrel.doc_id}\t{qrel.relevance}" for qrel in read] == lines


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_load_dataset_reads_a_folder_again_after_another_export(
    suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its cache has the earlier rows, under what the earlier card says."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = foreign("datasets")
    name = f"rows.{suffix}"
    for row in ({"answer": "first"}, {"answer": "other"}):
        if suffix == "jsonl":
            (tmp_path / name).write_text(json.dumps(row) + "\n", encoding="utf-8")
        else:
            pq.write_table(pa.Table.from_pylist([row]), tmp_path / name)
        save_card(tmp_path, WrittenFiles(), {"default": name}, "test", "Two exports.")
        loaded = datasets.load_dataset(str(tmp_path), cache_dir=str(tmp_path / "cache"))["test"]
        assert list(loaded) == [row]


@pytest.mark.parametrize("columns", ["published", "mteb"])
def test_load_dataset_opens_vidore(
    columns: str, stage_of: StageOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each configuration by its name, with images as images; for mteb's loader (which asks for
    PyTorch and is not run here) ids and texts under the names that it wants, as text.
    """
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    datasets = foreign("datasets")
    out = tmp_path / "out"
    export(stage_of("relevance").workspace, CAMPAIGN, "vidore", out, columns=columns)

    def table(name: str) -> list[dict[str, object]]:
        loaded = datasets.load_dataset(str(out), name, cache_dir=str(tmp_path / "cache"))
        return list(loaded["test"])

    corpus, queries, qrels = (table(name) for name in ("corpus", "queries", "qrels"))
    assert [page["image"].size for page in corpus][:2] == [(1700, 2200), (2200, 1700)]
    for read, file in ((corpus, CORPUS_FILE), (queries, QUERIES_FILE), (qrels, QRELS_FILE)):
        rows = pq.read_table(out / file).to_pylist()
        for row in (*read, *rows):
            row.pop("image", None)
        assert read == rows
    assert len(table("ratings")) > len(qrels) and len(table("annotators")) == 2
    page, query, of_query, of_page, kind = {
        "published": ("corpus_id", "query_id", "query_id", "corpus_id", int),
        "mteb": ("id", "id", "query-id", "corpus-id", str),
    }[columns]
    assert {row[of_page] for row in qrels} <= {row[page] for row in corpus}
    assert {row[of_query] for row in qrels} == {row[query] for row in queries}
    assert all(type(row[page]) is kind for row in corpus)
    assert columns == "published" or all(row["text"] for row in queries)


def test_each_program_is_pinned() -> None:
    """``constraints.txt`` has a version of what ``scripts/test`` installs beside them."""
    root = Path(__file__).parents[3]
    pinned = re.findall(r"(?m)^([\w.-]+)==", (root / "constraints.txt").read_text("utf-8"))
    lists = ("foreign_programs.txt", "parsebench_programs.txt")
    lines = [
        line for name in lists for line in (root / "tests" / name).read_text("utf-8").split("\n")
    ]
    programs = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    assert programs <= {re.sub(r"[-_.]+", "-", name).lower() for name in pinned}
