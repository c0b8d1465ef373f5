"""Replaces the parts of pages in docs/ that are generated from code."""

from __future__ import annotations


def with_generated_text(page: str, name: str, text: str) -> str:
    """The page with the text between the comments that begin and end the named part.

    Raises:
        ValueError: the page has no such part.
    """
    begin, end = f"<!-- {name}: generated -->\n", f"<!-- end of {name} -->\n"
    before, has_begin, rest = page.partition(begin)
    _, has_end, after = rest.partition(end)
    if not has_begin or not has_end:
        raise ValueError(f"the page has no {begin.strip()} … {end.strip()}")
    return f"{before}{begin}\n{text.strip()}\n\n{end}{after}"
