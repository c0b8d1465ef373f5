"""An example of every event type: payloads by their sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pagetrail.annotation import events as ev

_RECT = [10.0, 20.5, 110.25, 60.0]
_PAGE = {"document": "b.pdf", "page": 2}
_DRAWN = {"box": "b-1", **_PAGE, "rect": _RECT, "label": "Table"}


def _element(number: int) -> dict[str, Any]:
    """An element of a model, for examples."""
    return {
        "id": f"m{number}",
        **_PAGE,
        "rect": _RECT,
        "label": "Text",
        "content": f"paragraph {number}",
        "order": number,
        "attributes": {"bold": "yes"},
        "score": 0.75,
    }


_TABLE = {**_PAGE, "table": "t1"}
_NEXT = {**_TABLE, "structure": 0}
_HASH = "0" * 64
_SEARCH: Mapping[str, Any] = {
    "search_id": "s1",
    "query": "x",
    "parsed": None,
    "top_k": None,
    "total_hits": None,
    "took_ms": None,
    "index_id": None,
    "results": [],
}
"""A search of an imported run whose file doesn't have the results."""

EXAMPLES_BY_TYPE: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "run_imported": {
        "Imported run of m: record 12 of run.jsonl": {
            "format": "madqa",
            "file": "run.jsonl",
            "sha256": "0000000000000000000000000000000000000000000000000000000000000000",
            "record": 12,
            "model": "m",
            "timed": False,
            "results_known": True,
        },
    },
    "agent_turn": {
        "A turn of m-2: 1,000 tokens; thought “Hm.”": {
            "model": "m-2",
            "reasoning": "Hm.",
            "usage": {"input_tokens": 900, "output_tokens": 100, "cost_usd": 0.5},
            "details": {"temperature": 0.5},
        },
        "A turn of the agent": {},
    },
    "agent_step": {
        'Called python with “{"code": "1"}”; wrote “Let me see.”': {
            "text": "Let me see.",
            "tool": "python",
            "arguments": '{"code": "1"}',
        },
        "Wrote “Done.”": {"text": "Done."},
    },
    "page_bookmarked": {
        "Bookmarked b.pdf page 2": {"document": "b.pdf", "page": 2},
    },
    "bookmark_removed": {
        "Removed the bookmark of b.pdf page 2": {"document": "b.pdf", "page": 2},
    },
    "scratchpad_edited": {
        "Wrote on the scratchpad: “FY 2019 / p. 12”": {"text": "FY 2019\np. 12"},
        "Emptied the scratchpad": {"text": ""},
    },
    "batch_aids_carried": {
        "Brought 1 bookmark and a scratchpad of 7 characters from other tasks": {
            "bookmarks": [{"document": "b.pdf", "page": 2}],
            "scratchpad": "FY 2019",
        },
        "Brought 0 bookmarks and a scratchpad of 1 character from other tasks": {
            "bookmarks": [],
            "scratchpad": "x",
        },
    },
    "calculated": {
        "Calculated (120−100)÷100 = 0.2": {"expression": "(120-100)/100", "result": "0.2"},
    },
    "box_drawn": {
        "Drew a box “Table” on b.pdf page 2": _DRAWN,
        "Duplicated a box “Table” on b.pdf page 2": {
            **_DRAWN,
            "how": "duplicated",
            "copy_of": "b-0",
        },
        "Drew a box “Table” around selected words on b.pdf page 2": {**_DRAWN, "how": "selection"},
    },
    "box_moved": {
        "Moved box b-1": {"box": "b-1", "rect": _RECT},
        "Moved box b-1 by keys": {"box": "b-1", "rect": _RECT, "how": "nudge"},
    },
    "box_resized": {"Resized box b-1": {"box": "b-1", "rect": _RECT}},
    "box_labelled": {"Labelled box b-1 “Chart”": {"box": "b-1", "label": "Chart"}},
    "box_content_edited": {
        "Box e1 got the words under it, “a / b”": {"box": "e1", "content": "a\nb", "filled": True},
        "Wrote the text of box e1 “a / b”": {"box": "e1", "content": "a\nb"},
        "Emptied the text of box e1": {"box": "e1", "content": ""},
    },
    "box_ordered": {
        "Put box e1 at position 4 of the reading order": {"box": "e1", "order": 4},
        "Took box e1 out of the reading order": {"box": "e1", "order": None},
    },
    "box_attributes_edited": {
        "Changed the attributes of box e1": {"box": "e1", "attributes": {"bold": "no"}},
    },
    "box_accepted": {
        "Accepted box e1": {"box": "e1", "seen_ms": 2400},
        "No longer accepts box e1": {"box": "e1", "accepted": False},
    },
    "box_deleted": {"Deleted box e1": {"box": "e1"}},
    "undone": {
        "Undid a change of boxes on b.pdf page 2": {**_PAGE, "change": "c-1"},
    },
    "redone": {
        "Redid a change of boxes on b.pdf page 2": {**_PAGE, "change": "c-1"},
    },
    "elements_seeded": {
        "Was given 2 elements of a model on b.pdf page 2": {
            **_PAGE,
            "elements": [_element(1), _element(2)],
        },
        "Was given 1 element of a model on b.pdf page 2": {**_PAGE, "elements": [_element(1)]},
    },
    "field_set": {
        "Set quality to “good”": {"field": "quality", "value": "good"},
        "Set relevance of b.pdf page 2 to “2”": {
            "field": "relevance",
            "document": "b.pdf",
            "page": 2,
            "value": "2",
        },
        "Set modalities of b.pdf page 2 to “text”, “table”": {
            "field": "modalities",
            "document": "b.pdf",
            "page": 2,
            "value": ["text", "table"],
        },
        "Set legible of box b-1 to no": {"field": "legible", "box": "b-1", "value": False},
        "Set count to 3": {"field": "count", "value": 3},
        "Cleared count": {"field": "count", "value": None},
    },
    "contradiction_confirmed": {
        "Confirmed modalities of a.pdf page 3: “text”, with boxes of “chart”": {
            "field": "modalities",
            "document": "a.pdf",
            "page": 3,
            "chosen": ["text"],
            "drawn": ["chart"],
        },
    },
    "row_set": {
        "Set row r1 of points: value = “4.5”, labels = “2019”": {
            "field": "points",
            "row": "r1",
            "values": {"value": "4.5", "labels": "2019"},
        },
        "Started row r-1 of points": {"field": "points", "row": "r-1", "values": {}},
    },
    "rows_set": {
        "Set 2 rows of points: labels, verdict": {
            "field": "points",
            "rows": {
                "r1": {"labels": "2019; Revenue", "verdict": "corrected"},
                "r2": {"labels": "2020; Revenue"},
            },
        },
    },
    "row_deleted": {"Deleted row r1 of points": {"field": "points", "row": "r1"}},
    "row_moved": {
        "Moved row r3 of points before row r1": {"field": "points", "row": "r3", "before": "r1"},
        "Moved row r3 of points to the end": {"field": "points", "row": "r3"},
    },
    "rows_seeded": {
        "Was given 1 row of a model in points": {
            "field": "points",
            "rows": [{"id": "1", "values": {"value": "4"}}],
        },
    },
    "question_seeded": {"Was given the question “How many?”": {"text": "How many?"}},
    "question_edited": {"Wrote the question “How many?”": {"text": "How many?"}},
    "checked": {
        "Ran the checks: giveaway": {
            "at_seq": 7,
            "findings": [
                {"check": "giveaway", "status": "warning", "message": "It names the page."},
                {"check": "overlap", "status": "ok", "message": "Little overlap."},
            ],
        },
        "Ran the checks: nothing to warn of": {"at_seq": 7, "findings": []},
    },
    "gold_disputed": {"Disputed the gold: “it is 13”": {"reason": "it is 13"}},
    "feedback_given": {
        "Was shown the gold: wrong answer, evidence 0.33": {
            "right": False,
            "score": 0.165,
            "parts": [
                {"part": "answer", "right": False, "score": 0},
                {"part": "evidence", "right": False, "score": 0.33},
            ],
        },
    },
    "text_copied": {
        "Copied “net income / of 12 m” from b.pdf page 2 to the answer": {
            "document": "b.pdf",
            "page": 2,
            "text": "net income\nof 12 m",
            "to": "answer",
        },
        "Copied “1,234” from b.pdf page 2 to the calculator": {
            "document": "b.pdf",
            "page": 2,
            "text": "1,234",
            "to": "calculator",
        },
        "Copied “64%” from b.pdf page 2 to a row": {
            "document": "b.pdf",
            "page": 2,
            "text": "64%",
            "to": "row",
            "rect": [285.0, 248.2, 306.5, 260.4],
        },
    },
    "page_text_read": {
        "Had the text of b.pdf page 2 for a screen reader": {"document": "b.pdf", "page": 2},
    },
    "document_searched": {
        "Looked for “net income” in b.pdf: 3 hits": {
            "document": "b.pdf",
            "text": "net income",
            "hits": 3,
            "pages": 2,
        },
    },
    "page_beside": {
        "Put b.pdf page 2 beside": {"document": "b.pdf", "page": 2},
        "Put the page beside away": {"document": None, "page": None},
    },
    "searched": {
        "Searched for “otters”: 1,234 pages found, 1 shown": {
            "search_id": "s1",
            "query": "otters",
            "parsed": "text:otters",
            "top_k": 1,
            "total_hits": 1234,
            "took_ms": 1.25,
            "index_id": "index-1",
            "results": [{"rank": 1, "file": "b.pdf", "page": 3, "score": 8.5}],
        },
        "Searched again for “x”: 1 page found, 1 shown": {
            **_SEARCH,
            "total_hits": 1,
            "results": [{"rank": 1, "file": "b.pdf", "page": 3, "score": 8.5}],
            "rerun_of": "s0",
        },
        "Looked back at the search for “x”: 0 pages found, 0 shown": {
            **_SEARCH,
            "total_hits": 0,
            "looks_back_at": "s0",
        },
        "Searched for “x”: results unknown": _SEARCH,
        "Searched for “x”: failed, “timeout”": {**_SEARCH, "error": "timeout"},
        "Searched for “x”: 1 shown": {
            **_SEARCH,
            "results": [{"rank": 1, "file": "b.pdf", "page": 3, "score": None}],
        },
    },
    "search_refused": {
        "Search for “” was refused: Type a word.": {
            "search_id": "s",
            "query": "",
            "reason": "r",
            "message": "Type a word.",
        },
    },
    "page_viewed": {
        "Viewed annual report.pdf page 3, from the results, rank 2": {
            "document": "annual report.pdf",
            "page": 3,
            "via": "result",
            "search_id": "s1",
            "rank": 2,
        },
        "Viewed annual report.pdf page 4, with “next”": {
            "document": "annual report.pdf",
            "page": 4,
            "via": "next",
        },
    },
    "view_changed": {
        "Changed the view: zoom 150 %, turned by 90°": {
            "fit": "none",
            "zoom": 150.0,
            "rotation": 90,
        },
        "Changed the view: page width": {"fit": "width", "zoom": 80.0, "rotation": 0},
    },
    "citation_added": {
        "Cited annual report.pdf page 3": {"document": "annual report.pdf", "page": 3}
    },
    "citation_removed": {"Removed the citation of b.pdf page 1": {"document": "b.pdf", "page": 1}},
    "returned": {
        "Sent the task back: “Look at page 3.”": {
            "comment": "Look at page 3.",
            "differences": [{"part": "answer", "label": "Answer", "yours": "41", "other": "42"}],
        },
    },
    "commented": {"Commented: “Which year?”": {"text": "Which year?"}},
    "transcript_given": {
        "Was given a text of 7 characters for b.pdf page 2": {
            **_PAGE,
            "text": "# Title",
            "text_sha256": _HASH,
        },
    },
    "round_started": {
        "Round 2 began": {"number": 2},
        "Round 3 began, with the answers of scribe-2": {"number": 3, "model": "scribe-2"},
    },
    "patches_given": {
        "Was given 1 patch for b.pdf page 2": {
            **_PAGE,
            "round": 1,
            "text_sha256": _HASH,
            "patches": [
                {"id": "1", "at": 2, "removed": "Tilte", "inserted": "Title", "reason": "typo"}
            ],
        },
        "Was given 0 patches for b.pdf page 2": {
            **_PAGE,
            "round": 2,
            "text_sha256": _HASH,
            "patches": [],
        },
    },
    "text_edited": {
        "Replaced “Tilte” by “Title” on b.pdf page 2": {
            **_PAGE,
            "edits": [{"at": 2, "removed": "Tilte", "inserted": "Title"}],
        },
        "Inserted “net / gross” on b.pdf page 2": {
            **_PAGE,
            "edits": [{"at": 0, "removed": "", "inserted": "net\ngross"}],
        },
        "Removed “x” on b.pdf page 2": {
            **_PAGE,
            "edits": [{"at": 4, "removed": "x", "inserted": ""}],
        },
        "Pasted “net” on b.pdf page 2": {
            **_PAGE,
            "edits": [{"at": 4, "removed": "", "inserted": "net"}],
            "source": "paste",
        },
        "Inserted the words under a box, “net”, on b.pdf page 2": {
            **_PAGE,
            "edits": [{"at": 4, "removed": "", "inserted": "net"}],
            "source": "recognised",
        },
        "Changed the text of b.pdf page 2 at 2 places": {
            **_PAGE,
            "edits": [
                {"at": 4, "removed": "x", "inserted": "y"},
                {"at": 9, "removed": "x", "inserted": "y"},
            ],
            "source": "replace",
        },
    },
    "patch_decided": {
        "Accepted patch 1 on b.pdf page 2": {**_PAGE, "patch": "1", "decision": "accepted"},
        "Rejected patch 1 on b.pdf page 2": {**_PAGE, "patch": "1", "decision": "rejected"},
        "Withdrew the decision on patch 1 on b.pdf page 2": {
            **_PAGE,
            "patch": "1",
            "decision": "open",
        },
    },
    "patches_decided": {
        "Accepted 2 patches on b.pdf page 2": {
            **_PAGE,
            "patches": ["1", "2"],
            "decision": "accepted",
        },
        "Rejected 1 patch on b.pdf page 2": {**_PAGE, "patches": ["1"], "decision": "rejected"},
        "Withdrew the decisions on 2 patches on b.pdf page 2": {
            **_PAGE,
            "patches": ["1", "2"],
            "decision": "open",
        },
    },
    "tables_given": {
        "Was given 1 table of b.pdf page 2": {
            **_PAGE,
            "tables": [
                {
                    "id": "t1",
                    "n_rows": 1,
                    "n_columns": 1,
                    "cells": [{"row": 0, "column": 0, "text": "4"}],
                }
            ],
        },
    },
    "table_edited": {
        "Changed “1” to “4” in t1, row 3, column 1": {
            **_NEXT,
            "change": {"kind": "text", "row": 2, "column": 0, "text": "4", "was": "1"},
        },
        "Marked 1 cell of t1 as header": {
            **_NEXT,
            "change": {"kind": "header", "cells": [[0, 0]], "header": True},
        },
        "Marked 2 cells of t1 as no headers": {
            **_NEXT,
            "change": {"kind": "header", "cells": [[0, 0], [0, 1]], "header": False},
        },
        "Replaced the cells of a part of t1 by 1 cell": {
            **_NEXT,
            "change": {
                "kind": "cells",
                "row": 0,
                "column": 1,
                "rowspan": 1,
                "colspan": 2,
                "cells": [{"row": 0, "column": 1, "colspan": 2, "text": "2023", "header": True}],
            },
        },
        "Inserted 1 row in t1": {**_NEXT, "change": {"kind": "insert", "axis": "row", "at": 2}},
        "Deleted 2 columns of t1": {
            **_NEXT,
            "change": {"kind": "delete", "axis": "column", "at": 2, "count": 2},
        },
    },
    "cell_flagged": {
        "Flagged row 1, column 2 of t1, Text or number is wrong: “is 4”": {
            **_NEXT,
            "row": 0,
            "column": 1,
            "kind": "text",
            "note": "is 4",
        },
        "Flagged t1, Something is missing": {**_NEXT, "kind": "missing"},
        "Withdrew the flag of row 1, column 2 of t1": {**_NEXT, "row": 0, "column": 1},
        "Withdrew the flag of t1": {**_NEXT},
    },
    "cell_confirmed": {
        "Confirmed 2 changes of t1": {**_NEXT, "cells": [[0, 1]], "removed": True},
        "Withdrew the confirmation of 1 change of t1": {
            **_NEXT,
            "cells": [[0, 1]],
            "confirmed": False,
        },
    },
    "opened": {"Opened the task": {"session": "t"}},
    "answer_edited": {
        "Wrote the answer “42 / forty-two”": {"text": "42\n\nforty-two"},
        "Emptied the answer": {"text": " \n"},
    },
    "note_edited": {"Wrote the note “see�page”": {"text": "see\tpage"}},
    "flagged": {"Flagged the task: “two spellings”": {"comment": "two spellings"}},
    "unflagged": {"Removed the flag": {}},
    "paused": {"Paused the clock": {}},
    "resumed": {
        "Started the clock again": {},
        "Started the clock again by working in another tab": {"implicit": True},
    },
    "tab_hidden": {"Left the tab": {}},
    "tab_shown": {"Came back to the tab": {}},
    "time_corrected": {
        "Counted 4 s where the server's clock had moved by 3604 s": {
            "clock_ms": 3_604_000,
            "counted_ms": 4_000,
        }
    },
    "reconnected": {"Came back online after 1.5 s": {"offline_ms": 1500}},
    "guidelines_opened": {"Opened the guidelines": {}},
    "guidelines_closed": {"Closed the guidelines": {}},
    "skipped": {"Skipped the task: “unreadable”": {"reason": "unreadable"}},
    "submitted": {
        "Submitted with an answer": {"outcome": "answered"},
        "Submitted: no answer found": {"outcome": "not_found"},
        "Submitted: the question cannot be answered": {"outcome": "unanswerable"},
        "Submitted as done": {"outcome": "completed"},
    },
    "reopened": {"Reopened the task": {}},
    "batch_closed": {"The batch was closed": {}},
    "review_taken": {
        "Took the task": {},
        "Took the review over from Sofia": {"over": "Sofia"},
    },
    "review_released": {"Released the task": {}},
    "gold_merged": {
        "Merged the work of 2 people": {
            "sources": [
                {"attempt": "a1", "annotator": "Ada", "seq": 7},
                {"attempt": "a2", "annotator": "Grace", "seq": 9},
            ],
            "choices": [
                {"part": "outcome", "how": "majority"},
                {"part": "answer", "how": "side", "side": "a1"},
            ],
            "outcome": "answered",
            "answer_text": "42\nforty-two",
            "variants": ["42 and forty-two"],
            "evidence": [
                {"document": "b.pdf", "page": 2, "annotators": 2},
                {"document": "b.pdf", "page": 3, "annotators": 1, "reviewer": True},
            ],
            "fields": [
                {"field": "difficulty", "value": "hard"},
                {"field": "grade", "document": "b.pdf", "page": 2, "value": "2"},
            ],
            "boxes": [
                {
                    "id": "g0-b1",
                    "document": "b.pdf",
                    "page": 2,
                    "rect": [10.0, 20.0, 30.0, 40.0],
                    "label": "Table",
                    "source": "a1",
                }
            ],
            "rows": [{"field": "rows", "row": "r1", "values": {"cell": "1"}}],
        },
        "Merged the work of 1 person": {
            "sources": [{"attempt": "a1", "annotator": "Ada", "seq": 7}],
            "choices": [],
            "outcome": None,
        },
    },
    "adjudicated": {
        "Accepted automatically, version 1 of the gold": {
            "version": 1,
            "sources": [
                {"attempt": "a1", "annotator": "Ada", "seq": 7},
                {"attempt": "a2", "annotator": "Grace", "seq": 9},
            ],
            "automatic": True,
        },
        "Decided, version 2 of the gold: “page 3 / says so”": {
            "version": 2,
            "reason": "page 3\nsays so",
            "sources": [
                {"attempt": "a1", "annotator": "Ada", "seq": 7},
                {"attempt": "a2", "annotator": "Grace", "seq": 9},
            ],
            "drafts": [
                {
                    "draft": "draft:1",
                    "model": "merger",
                    "version": "2",
                    "visibility": "shown",
                    "items": [
                        {"kind": "answer", "part": "answer", "use": "unchanged", "taken": True},
                        {
                            "kind": "page",
                            "part": "evidence",
                            "document": "b.pdf",
                            "page": 2,
                            "use": "rejected",
                        },
                    ],
                }
            ],
        },
    },
    "gold_reopened": {"Reopened the gold: “a typing slip”": {"reason": "a typing slip"}},
    "decision_undone": {
        "Undid the decision: it is no gold": {"decision": 4},
        "Undid the decision: version 1 is current again": {
            "decision": 4,
            "before": {
                "seq": 2,
                "version": 1,
                "by": "Sofia",
                "at": "2026-03-02",
                "sources": [
                    {"attempt": "a1", "annotator": "Ada", "seq": 7},
                    {"attempt": "a2", "annotator": "Grace", "seq": 9},
                ],
            },
        },
    },
    "gold_checked": {
        "Checked the gold: confirmed": {"decision": "confirmed", "version": 0},
        "Checked the gold: corrected, version 1": {"decision": "corrected", "version": 1},
        "Checked the gold: dropped, “two answers are right”": {
            "decision": "dropped",
            "version": 0,
            "reason": "two answers are right",
        },
    },
    "problem_handled": {
        "Marked a flag or skip as handled": {"attempt": "a1", "seq": 4},
        "Marked a flag or skip as not handled": {"attempt": "a1", "seq": 4, "handled": False},
    },
    "draft_rejected": {
        "Rejected the draft of merger": {"draft": "draft:1", "model": "merger", "version": "2"},
        "Rejected the draft of merger: “page 3 says otherwise”": {
            "draft": "draft:1",
            "model": "merger",
            "reason": "page 3 says otherwise",
        },
        "Withdrew the rejection of the draft of merger": {
            "draft": "draft:1",
            "model": "merger",
            "rejected": False,
        },
    },
}
"""Type → fields of payloads by their sentence; at least one."""

EXAMPLES: list[tuple[ev.Payload, str]] = [
    (ev.parse_payload(type_, dict(fields)), sentence)
    for type_, fields_by_sentence in EXAMPLES_BY_TYPE.items()
    for sentence, fields in fields_by_sentence.items()
]
"""Payloads with their sentences."""
