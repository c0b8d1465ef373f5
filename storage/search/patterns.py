"""Patterns of many words and ranges of numbers, whose pages are computed at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from whoosh import query as wq
from whoosh.matching import NullMatcherClass, WrappingMatcher

from pagetrail.storage.search.array_matches import all_pages
from pagetrail.storage.search.lexicon import Lexicon
from pagetrail.storage.search.postings import PageList
from pagetrail.storage.search.word_union import AnyWord, WordTree, WordUnion

_PATTERNS = (wq.Prefix, wq.Wildcard, wq.TermRange)
_SMALL_COLLECTION = 5000  # pages, up to which the engine reads more than two lists into an array


def read_from_arrays(parsed: Any, lexicons: Mapping[str, Lexicon]) -> None:
    """Let the patterns and ranges of a parsed query find their words and pages in arrays.

    Otherwise the engine decodes and compares every word of the index, and reads lists posting by
    posting. ``lexicons`` are by field.
    """
    for leaf in parsed.leaves():
        if isinstance(leaf, wq.NumericRange):
            leaf.matcher = partial(_range_matcher, leaf)
        elif isinstance(leaf, _PATTERNS) and leaf.fieldname in lexicons:
            _expand_from(lexicons[leaf.fieldname], leaf)


def _expand_from(lexicon: Lexicon, pattern: Any) -> None:
    def words(_reader: Any) -> list[bytes]:
        return [lexicon.terms[index].encode() for index in lexicon.matching(pattern)]

    pattern._btexts, pattern.estimate_size = words, lambda _reader: lexicon.count(pattern)
    pattern.matcher = partial(_matcher, pattern, lexicon)


def _range_matcher(number_range: Any, searcher: Any, context: Any = None) -> Any:
    compiled = number_range._compile_query(searcher.reader())
    if not isinstance(compiled, wq.ConstantScoreQuery) or context is None or context.needs_current:
        return compiled.matcher(searcher, context)
    matcher = compiled.child.matcher(searcher, context)
    if isinstance(matcher, NullMatcherClass):
        return matcher
    pages = all_pages(matcher)
    return PageList(pages, compiled.score, matcher.term())


def _matcher(pattern: Any, lexicon: Lexicon, searcher: Any, context: Any = None) -> Any:
    indexes = lexicon.matching(pattern)
    if len(indexes) < 3 or context is None or context.needs_current:
        return type(pattern).matcher(pattern, searcher, context)
    pages = searcher.doc_count_all()
    terms = searcher.reader()._terms
    read = partial(terms.word_postings, pattern.fieldname)
    if len(indexes) >= wq.Or.TOO_MANY_CLAUSES or pages <= _SMALL_COLLECTION:
        return AnyWord(_once(pattern, read, indexes), pages, terms.jumps)

    def open_list(index: int) -> Any:
        return wq.Term(pattern.fieldname, lexicon.terms[index]).matcher(searcher, context)

    counts = [lexicon.df[index] for index in indexes]
    tree = _once(pattern, WordTree, indexes, counts, read, open_list, terms.jumps)
    union = WordUnion(tree, tree.root)
    return union if pattern.boost == 1.0 else WrappingMatcher(union, boost=pattern.boost)


def _once(pattern: Any, make: Callable[..., Any], *arguments: Any) -> Any:
    """What is made of a pattern, once for its matches and their number."""
    if not hasattr(pattern, "made"):
        pattern.made = make(*arguments)
    return pattern.made
