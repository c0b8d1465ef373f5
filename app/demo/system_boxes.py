"""Boxes that a vision model drew on the pages that people graded, imported as COCO."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from pagetrail.app.demo.campaigns.layout import lines_with
from pagetrail.app.demo.corpus import Demo, Record
from pagetrail.app.services.composition import Services
from pagetrail.storage.importers.preannotations.system_boxes import import_boxes

SYSTEM = "vision-model"
N_BOXED = 16
"""Questions of the large campaign at which the model drew boxes."""
_SEED = 5
_FINDS = 0.8
_OFF_BY_ONE = 0.25
"""Share of boxes on the next page: a failure that ViDoRe V3 describes (appendix G)."""
_TALLER = 2.0


def boxed_questions(demo: Demo) -> list[Record]:
    """The first questions with evidence, at which the model drew boxes without seeing others."""
    return [row for row in demo.questions if row["evidence"]][:N_BOXED]


def import_system_boxes(services: Services, tasks: Sequence[Record], campaign: str) -> None:
    """Import the model's boxes at these tasks, and its attempts without boxes at all others.

    The model may miss a page, or draw on the next one where a task lists it as a candidate.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "boxes.json"
        path.write_text(json.dumps(_coco(services, tasks)), encoding="utf-8")
        import_boxes(
            services.workspace,
            [path],
            campaign=campaign,
            system=SYSTEM,
            all_tasks=all("candidates" in task for task in tasks),
            clock=services.clock,
        )


def _coco(services: Services, tasks: Sequence[Record]) -> dict[str, Any]:
    rng = Random(_SEED)
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for task in tasks:
        candidates = {(page["document"], page["page"]) for page in task.get("candidates", ())}
        for page in task["evidence"]:
            if rng.random() > _FINDS:
                continue
            document, number = page["document"], page["page"]
            if rng.random() < _OFF_BY_ONE and (document, number + 1) in candidates:
                number += 1
            info = services.corpus.document(document)
            assert info is not None
            size = info.pages[number - 1]
            images.append(
                {
                    "id": len(images) + 1,
                    "task": task["id"],
                    "original_filename": document,
                    "page_no": number,
                    "width": size.width,
                    "height": size.height,
                }
            )
            annotations.append(
                {
                    "id": len(images),
                    "image_id": len(images),
                    "category_id": 1,
                    "bbox": _bbox(services, task, document, page["page"], size.height),
                }
            )
    categories = [{"id": 1, "name": "Text"}]
    return {"images": images, "annotations": annotations, "categories": categories}


def _bbox(services: Services, task: Record, document: str, page: int, height: float) -> list[float]:
    """The lines of the answer with those around them, as x, y, width and height in points."""
    info = services.corpus.document(document)
    assert info is not None
    words = services.images.words(info.sha256, page)
    answers = " ".join(task["answer_variants"][0]).split()
    x0, y0, x1, y1 = lines_with(words, answers) or (60.0, 90.0, 400.0, 220.0)
    margin = (y1 - y0) * (_TALLER - 1) / 2
    top, bottom = max(0.0, y0 - margin), min(height, y1 + margin)
    return [round(value, 2) for value in (x0, top, x1 - x0, bottom - top)]
