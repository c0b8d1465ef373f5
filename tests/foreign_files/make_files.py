"""Writes the files in this folder, each with the program whose files it stands for.

Usage: python -m tests.foreign_files.make_files PROGRAM … (a name below; all without one)

The tests do not need the programs. ``datasets``, ``datumaro`` and ``label-studio-sdk`` are in
``tests/foreign_programs.txt``, ``pandas`` and ``inspect-ai`` are Pagetrail's own; ``openpyxl``,
``xlsxwriter`` and LibreOffice (``soffice``) have to be there. Two files are not a program's:
OpenAI's server cannot be run, so its lines are the published example; and no program here writes
the line ``sep=;`` that others put before a table for Excel.
"""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from inspect_ai import Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver
from PIL import Image

from tests.support.foreign_programs import FOLDER

HERE = Path(__file__).parent
_FORMATS = (
    ("What share?", 0.125, "0.0%"),
    ("What amount?", 1234.5, '"$"#,##0.00'),
    ("Which date?", 43100, "dd.mm.yyyy"),
    ("Which code?", 7, "000"),
    ("What ratio?", 0.3, "0.00"),
    ("How many millions?", 5_200_000, '0.0,,"M"'),
    ("What loss?", -1234, "#,##0;(#,##0)"),
    ("What time?", 0.6041666666666666, "h:mm"),
    ("When?", 43100.75, "yyyy-mm-dd hh:mm"),
    ("Which duration?", 1.5, "[h]:mm"),
    ("What distance?", 1.25e9, "0.00E+00"),
    ("What part?", 0.375, "# ?/?"),
    ("What number?", 0.1 + 0.2, "General"),
    ("True?", True, "General"),
)


def vidore() -> None:
    """A data set of the columns of ViDoRe V3's on Hugging Face (its README, ``dataset_info``)."""
    datasets = import_module("datasets")
    integer, text = datasets.Value("int64"), datasets.Value("string")
    png = io.BytesIO()
    Image.new("RGB", (1700, 2200), "white").save(png, "PNG")
    tables: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {
        "corpus": (
            {"corpus_id": integer, "image": datasets.Image(), "doc_id": text, "markdown": text,
             "page_number_in_doc": integer},
            [{"corpus_id": n, "image": {"bytes": png.getvalue(), "path": None}, "doc_id": "report",
              "markdown": f"Page {n}", "page_number_in_doc": n} for n in range(3)],
        ),
        "qrels": (
            {"query_id": integer, "corpus_id": integer, "score": integer, "content_type": [text],
             "bounding_boxes": [dict.fromkeys(("annotator", "x1", "x2", "y1", "y2"), integer)]},
            [{"query_id": 7, "corpus_id": 1, "score": 2, "content_type": ["Table"],
              "bounding_boxes": [{"annotator": 1, "x1": 100, "x2": 800, "y1": 200, "y2": 900}]},
             {"query_id": 7, "corpus_id": 2, "score": 1, "content_type": ["Text"],
              "bounding_boxes": []}],
        ),
        "queries": (
            {"query_id": integer, "query": text, "language": text, "query_types": [text],
             "query_format": text, "content_type": [text], "raw_answers": [text],
             "query_generator": text, "query_generation_pipeline": text, "source_type": text,
             "query_type_for_generation": text, "answer": text},
            [{"query_id": 7, "query": "How many otters were counted?", "language": "english",
              "query_types": ["extractive"], "query_format": "question", "content_type": ["Table"],
              "raw_answers": ["41"], "query_generator": "human",
              "query_generation_pipeline": "human", "source_type": "summary",
              "query_type_for_generation": "extractive", "answer": "41"}],
        ),
    }  # fmt: skip
    for name, (features, rows) in tables.items():
        path = HERE / "vidore_v3" / name / "test-00000-of-00001.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        table = datasets.Dataset.from_list(rows, features=datasets.Features(features))
        table.to_parquet(path)


def openai() -> None:
    """Results and errors of a batch: the example of OpenAI's guide “Batch API” (5 and 7)."""

    def answered(number: str, request: str, text: str, usage: tuple[int, int]) -> dict[str, Any]:
        body = {
            "id": "chatcmpl-123", "object": "chat.completion", "created": 1711652795,
            "model": "gpt-3.5-turbo-0125",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text},
                         "logprobs": None, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1],
                      "total_tokens": sum(usage)},
            "system_fingerprint": "fp_123",
        }  # fmt: skip
        response = {"status_code": 200, "request_id": "req_123", "body": body}
        return {"id": number, "custom_id": request, "response": response, "error": None}

    message = "This request could not be executed before the completion window expired."
    error = {"code": "batch_expired", "message": message}
    rows = [
        answered("batch_req_123", "request-2", "Hello.", (22, 2)),
        answered("batch_req_456", "request-1", "Hello! How can I assist you today?", (20, 9)),
        {"id": "batch_req_123", "custom_id": "request-3", "response": None, "error": error},
    ]
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (HERE / "openai_batch.jsonl").write_text(text, encoding="utf-8")


def pandas() -> None:
    """A column of pages in which a cell is missing, and tables in every shape of ``to_json``."""
    pages = import_module("pandas").DataFrame(
        {"id": ["q1", "q2"], "question": ["How many?", "Who?"],
         "evidence_document": ["report.pdf", None], "evidence_page": [3, None]}
    )  # fmt: skip
    pages.to_csv(HERE / "pandas_pages.csv", index=False)
    for orient in ("columns", "index", "records", "split", "table", "values"):
        pages.to_json(HERE / f"pandas_{orient}.json", orient=orient)
    pages.to_json(HERE / "pandas_lines.jsonl", orient="records", lines=True)
    pages.tail(1).to_json(HERE / "pandas_tail.json", orient="split")
    by_id = pages.set_index("id")
    for orient in ("columns", "index", "split", "table"):
        by_id.to_json(HERE / f"pandas_text_index_{orient}.json", orient=orient)


def label_studio() -> None:
    """A rectangle that was turned once around, as the editor stores it."""
    sdk = import_module("label_studio_sdk.label_interface")
    interface = sdk.LabelInterface(
        '<View><Image name="image" value="$image"/><RectangleLabels name="label" toName="image">'
        '<Label value="Table"/></RectangleLabels></View>'
    )
    region = interface.get_control("label").label(
        label=["Table"], x=10, y=60, width=20, height=10, rotation=360
    )
    value = import_module("label_studio_sdk.label_interface.objects").PredictionValue
    prediction = value(result=[region]).model_dump(mode="json")
    task = {"id": 1, "data": {"image": "plan_p1.png"}, "predictions": [prediction]}
    (HERE / "label_studio.json").write_text(json.dumps([task], indent=2), encoding="utf-8")


def coco() -> None:
    """Two images, of which one has no box; their shape is not that of their page."""
    datumaro = import_module("datumaro")
    items = [
        datumaro.DatasetItem(
            f"plan_p{n}",
            media=datumaro.Image.from_file(f"plan_p{n}.png", size=(800, 800)),
            annotations=[datumaro.Bbox(10, 20, 300, 100, label=0)] if n == 1 else [],
        )
        for n in (1, 2)
    ]
    with TemporaryDirectory() as folder:
        dataset = datumaro.Dataset.from_iterable(items, categories=["Table"])
        dataset.export(folder, "coco_instances")
        (written,) = Path(folder, "annotations").glob("*.json")
        (HERE / "coco.json").write_bytes(written.read_bytes())


def inspect() -> None:
    """A log of five samples whose evaluation was killed at the third."""
    with TemporaryDirectory() as folder:
        process = multiprocessing.get_context("spawn").Process(target=_evaluate, args=(folder,))
        process.start()
        process.join()
        (written,) = Path(folder).glob("*.eval")
        (HERE / "inspect_two_of_five.eval").write_bytes(written.read_bytes())


def _evaluate(folder: str) -> None:
    # The log names the repository in the working folder.
    os.chdir(folder)

    @solver
    def killed() -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            if state.sample_id == "q3":
                os._exit(1)
            # A model would count its tokens with a file from the network.
            state.output = ModelOutput.from_content("mockllm/model", "42")
            return state

        return solve

    samples = [Sample(id=f"q{n}", input=f"Question {n}?", target="42") for n in range(1, 6)]
    evaluate(Task(dataset=samples, solver=killed()), model="mockllm/model", max_samples=1,
         log_dir=folder, log_buffer=1, display="none", score=False)  # fmt: skip


def spreadsheets() -> None:
    """Workbooks of programs that calculate nothing, one with values, and tables as text."""
    workbook = import_module("openpyxl").Workbook
    book = workbook()
    sheet = book.active
    sheet.title = "Tasks"
    sheet.append(["id", "question", "answer"])
    for number, (question, value, code) in enumerate(_FORMATS, start=1):
        sheet.append([f"e{number}", question, value])
        sheet.cell(number + 1, 3).number_format = code
    book.save(HERE / "formats.xlsx")
    for number, formula in enumerate(("=C2*2", "=NA()", "=1/0"), start=1):
        sheet.append([f"f{number}", "Which value?", formula])
    book.save(HERE / "openpyxl_formulas.xlsx")
    _convert("openpyxl_formulas.xlsx", "xlsx:Calc MS Excel 2007 XML", "libreoffice_formulas.xlsx")
    # Separator, quote, character set (76: UTF-8, 65535: UTF-16), first line, and cells as shown.
    csv = "csv:Text - txt - csv (StarCalc)"
    _convert("formats.xlsx", f"{csv}:44,34,76,1,,0,false,true", "libreoffice_shown.csv")
    with import_module("xlsxwriter").Workbook(str(HERE / "xlsxwriter_formulas.xlsx")) as written:
        page = written.add_worksheet("Tasks")
        page.write_row(0, 0, ["id", "question", "answer"])
        page.write_row(1, 0, ["f1", "Which value?", "=1+1"])
    book = workbook()
    for row in (["id", "question", None, None], ["1", "Größen?", None, " "]):
        book.active.append(row)
    with TemporaryDirectory() as folder:
        path = Path(folder, "table.xlsx")
        book.save(path)
        _convert(path, f"{csv}:9,34,65535,1", "libreoffice_utf16.txt")
        _convert(path, f"{csv}:59,34,76,1", "sep.csv")
    text = (HERE / "sep.csv").read_text(encoding="utf-8")
    (HERE / "sep.csv").write_text(f"sep=;\n{text}", encoding="utf-8")


def _convert(path: str | Path, target: str, name: str) -> None:
    """Write a workbook in another format with LibreOffice."""
    with TemporaryDirectory() as folder:
        subprocess.run(
            ["soffice", f"-env:UserInstallation=file://{folder}/profile", "--headless",
             "--convert-to", target, "--outdir", f"{folder}/out", str(HERE / path)],
            check=True, capture_output=True,
        )  # fmt: skip
        (written,) = Path(folder, "out").iterdir()
        (HERE / name).write_bytes(written.read_bytes())


PROGRAMS = (vidore, openai, pandas, label_studio, coco, inspect, spreadsheets)


def main(names: list[str]) -> None:
    """Write the files of these programs; of all without a name."""
    sys.path.append(str(FOLDER))
    for program in PROGRAMS:
        if not names or program.__name__ in names:
            program()


if __name__ == "__main__":
    main(sys.argv[1:])
