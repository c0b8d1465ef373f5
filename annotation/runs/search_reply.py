"""What a search tool returns to an agent, as text: the pages in their order."""

from __future__ import annotations

import json
from typing import Any

from pagetrail.annotation import events as ev


def search_reply(search: ev.Searched) -> dict[str, Any] | None:
    """The pages, and how many match where known; None where an imported run does not tell."""
    if not search.results and search.total_hits != 0:
        return None
    pages = [{"file": hit.file, "page": hit.page} for hit in search.results]
    total = {} if search.total_hits is None else {"total_hits": search.total_hits}
    return {"results": pages, **total}


def search_reply_text(search: ev.Searched) -> str | None:
    """What the tool returned, word for word where that is stored, else the pages as JSON."""
    if search.reply is not None:
        return search.reply
    reply = search_reply(search)
    return None if reply is None else json.dumps(reply, allow_nan=False)
