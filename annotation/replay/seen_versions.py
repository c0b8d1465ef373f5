"""Events of an attempt for its replay, with earlier versions of documents under their own names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pagetrail.annotation import events as ev


def version_name(document: str, version: int) -> str:
    """What an earlier version of a document is called in a replay."""
    return f"{document} (version {version})"


def with_seen_versions(
    events: Iterable[ev.Event], versions: Mapping[str, int]
) -> Iterator[ev.Event]:
    """The events, with ``version_name`` for documents that were seen in an earlier version.

    A citation is removed under the name under which it was added.

    Args:
        versions: document → its current version, of those that were replaced.
    """
    citation_names: dict[tuple[str, int], str] = {}
    for event in events:
        payload = event.payload
        document = getattr(payload, "document", None)
        if document is None or document not in versions:
            yield event
            continue
        version = event.document_version or 1
        name = document if version == versions[document] else version_name(document, version)
        if isinstance(payload, ev.CitationAdded):
            citation_names[document, payload.page] = name
        elif isinstance(payload, ev.CitationRemoved):
            name = citation_names.pop((document, payload.page), name)
        renamed = payload.model_copy(update={"document": name})
        yield event.model_copy(update={"payload": renamed})
