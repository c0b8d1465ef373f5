"""Structural mutations of real PDFs through ingest and page drawing, and a table of what came.

``python -m tests.attacks.pdf_mutations --count 2000 [PDF or folder …]`` makes many of them.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import pymupdf

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.page_workers import PageOfFile, PageWorkers
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from tests.attacks.hostile_pdfs import write_many_pages

READING_S = 20.0
DRAWING_S = 10.0
MAX_BASE_BYTES = 2_000_000
MAX_IMAGE_BYTES = 50_000_000
"""A drawn page has a limited number of pixels; no image of one is larger."""

_DPI = 75
_HUGE = (b"99999999999", b"2147483648", b"-1", b"0", b"1e38", b"65536", b"null", b"[]", b"<<>>")

_FILTERS = (
    *(b"/FlateDecode", b"/LZWDecode", b"/DCTDecode", b"/JPXDecode", b"/JBIG2Decode"),
    *(b"/CCITTFaxDecode", b"/RunLengthDecode", b"/ASCII85Decode", b"/Crypt", b"/No"),
)

Mutation = Callable[[bytes, Random], bytes]


def _replaced(pattern: bytes, new: Callable[[Random], bytes]) -> Mutation:
    """One match of the pattern, drawn at random, replaced by something else."""

    def mutate(data: bytes, random: Random) -> bytes:
        matches = list(re.finditer(pattern, data))
        if not matches:
            return data
        match = random.choice(matches)
        return data[: match.start()] + new(random) + data[match.end() :]

    return mutate


def _reference(random: Random) -> bytes:
    return b"%d 0 R" % random.choice([0, 1, 2, 3, 4, 5, 8, 13, 2**31, 10**9])


def _number(random: Random) -> bytes:
    return random.choice(_HUGE)


def _box(random: Random) -> bytes:
    numbers = [random.choice([*_HUGE[:6], b"612", b"-792", b"0.0001"]) for _ in range(4)]
    return b"/MediaBox[%s]" % b" ".join(numbers)


def _nested(random: Random) -> bytes:
    depth = random.choice([50, 600, 20_000])
    opened, closed = random.choice([(b"[", b"]"), (b"<</A", b">>"), (b"(", b")")])
    return b" " + opened * depth + closed * random.choice([depth, 0]) + b" "


def _name(random: Random) -> bytes:
    return b"/" + random.choice([b"#00", b"A" * 100_000, b"", b"#zz", b"Type", b"Kids"])


def _truncated(data: bytes, random: Random) -> bytes:
    return data[: random.randrange(len(data))]


def _without_part(data: bytes, random: Random) -> bytes:
    start = random.randrange(len(data))
    return data[:start] + data[start + random.randrange(1, 2_000) :]


def _with_part_twice(data: bytes, random: Random) -> bytes:
    start = random.randrange(len(data))
    end = start + random.randrange(1, 2_000)
    return data[:end] + data[start:]


def _flipped(data: bytes, random: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(random.choice([1, 10, 200])):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _with_filters(random: Random) -> bytes:
    return b"/Filter[%s]" % b"".join(random.choice(_FILTERS) for _ in range(random.randint(1, 12)))


def _earlier_xref(random: Random) -> bytes:
    return b"trailer\n<</Prev %d" % random.choice([0, 9, 10**9])


def _rotation(random: Random) -> bytes:
    turn = random.randrange(-400, 400)
    return b"/Rotate %d/UserUnit %s/MediaBox" % (turn, _number(random))


def _type(random: Random) -> bytes:
    return b"/Type/" + random.choice([b"Pages", b"Page", b"ObjStm", b"XRef"])


MUTATIONS: dict[str, Mutation] = {
    "object number": _replaced(rb"\b\d+ 0 obj", lambda random: b"%d 0 obj" % random.randrange(20)),
    "reference": _replaced(rb"\b\d+ 0 R", _reference),
    "page tree cycle": _replaced(rb"/Kids ?\[ ?\d+ 0 R", lambda _: b"/Kids[2 0 R 1 0 R 2 0 R"),
    "parent": _replaced(rb"/Parent \d+ 0 R", lambda random: b"/Parent " + _reference(random)),
    "page count": _replaced(rb"/Count \d+", lambda random: b"/Count " + _number(random)),
    "xref offset": _replaced(rb"\d{10} \d{5} n", lambda r: b"%010d 00000 n" % r.randrange(10**6)),
    "start of xref": _replaced(
        rb"startxref\s+\d+", lambda random: b"startxref\n%d" % random.randrange(10**5)
    ),
    "earlier xref": _replaced(rb"trailer\s*<<", _earlier_xref),
    "stream length": _replaced(rb"/Length \d+", lambda random: b"/Length " + _number(random)),
    "filters": _replaced(rb"/Filter ?/\w+|/Length", _with_filters),
    "huge box": _replaced(rb"/MediaBox ?\[[^\]]*\]", _box),
    "rotation": _replaced(rb"/MediaBox", _rotation),
    "image size": _replaced(rb"/(Width|Height) \d+", lambda random: b"/Width " + _number(random)),
    "number": _replaced(rb"(?<=[ \[])-?\d+(\.\d+)?", _number),
    "nested": _replaced(rb"[\[ ](?=\d)", _nested),
    "name": _replaced(rb"/[A-Z]\w+", _name),
    "type": _replaced(rb"/Type ?/\w+", _type),
    "truncated": _truncated,
    "part left out": _without_part,
    "part twice": _with_part_twice,
    "bytes changed": _flipped,
}


def mutated(data: bytes, seed: int) -> tuple[str, bytes]:
    """The kind of mutation and the mutated file; up to three mutations of that and other kinds."""
    random = Random(seed)
    kinds = list(MUTATIONS)
    kind = kinds[seed % len(kinds)]
    data = MUTATIONS[kind](data, random)
    for _ in range(random.choice([0, 0, 1, 2])):
        data = MUTATIONS[random.choice(kinds)](data, random) if data else data
    return kind, data


def generated_bases(folder: Path) -> list[Path]:
    """Sound documents with text, an image, links, an outline, and with objects in streams."""
    document = pymupdf.open()
    pixels = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 40, 30))
    pixels.set_rect(pixels.irect, (200, 30, 30))
    for number in range(4):
        page = document.new_page()
        page.insert_text((72, 72), f"Otters on page {number}")
        page.insert_image(pymupdf.Rect(72, 100, 272, 250), pixmap=pixels)
        page.draw_circle((300, 400), 50, fill=(0, 0.5, 0), fill_opacity=0.5)
        page.insert_link({"kind": pymupdf.LINK_GOTO, "page": 0, "from": pymupdf.Rect(0, 0, 9, 9)})
        page.add_text_annot((50, 50), "a note")
    document.set_toc([[1, "Otters", 1], [2, "Dens", 2]])
    plain, packed, pages = (folder / f"{name}.pdf" for name in ("plain", "packed", "pages"))
    document.save(plain, deflate=False, pretty=True)
    document.save(packed, deflate=True, use_objstms=1)
    document.close()
    write_many_pages(pages, 30)
    return [plain, packed, pages]


class MutationRun(NamedTuple):
    """What became of each mutation.

    Attributes:
        outcomes: by kind of mutation and outcome.
        reasons: why files and pages were refused, without names and numbers.
        failures: seeds with what must not happen.
        seconds: for all.
        slowest_s: for drawing a page.
        largest: bytes of a page's image.
    """

    outcomes: Counter[tuple[str, str]]
    reasons: Counter[str]
    failures: list[str]
    seconds: float
    slowest_s: float
    largest: int


def run_mutations(bases: Sequence[Path], seeds: range, folder: Path) -> MutationRun:
    """Mutate, ingest and draw; the first and the last page of each document are drawn and read."""
    started_at = time.monotonic()
    incoming = folder / "mutated"
    incoming.mkdir()
    kinds: dict[str, str] = {}
    for seed in seeds:
        base = bases[Random(seed).randrange(len(bases))]
        kind, data = mutated(base.read_bytes(), seed)
        name = f"{seed:06}.pdf"
        (incoming / name).write_bytes(data + b"\n%% %d" % seed)
        kinds[name] = kind
    workspace = Workspace.create(folder / "ws")
    report = ingest(workspace, [incoming], ocr="never", workers=2, timeout_s=READING_S)
    outcomes: Counter[tuple[str, str]] = Counter()
    reasons: Counter[str] = Counter()
    failures: list[str] = []
    slowest, largest = 0.0, 0
    for failed in report.failed:
        name = Path(failed.file).name
        outcome = "crashed its reader" if "the reader" in failed.reason else "refused"
        outcomes[kinds.pop(name), outcome] += 1
        reasons[_general(failed.reason.removeprefix(failed.file))] += 1
    with _page_workers(workspace) as workers:
        corpus = Corpus(workspace)
        for name in [entry.document for entry in report.ingested]:
            info = corpus.document(name)
            if info is None:
                failures.append(f"{name}: ingested and not there")
                continue
            outcome = "read and drawn"
            path = corpus.path(info.sha256)
            for page in {1, info.n_pages}:
                source = PageOfFile(path, info.sha256, name, page)
                started = time.monotonic()
                try:
                    largest = max(largest, len(workers.jpeg(source, _DPI)))
                    workers.words(source)
                except PagetrailError as error:
                    outcome = "read, a page refused"
                    reasons[_general(error.message.replace(name, ""))] += 1
                slowest = max(slowest, time.monotonic() - started)
            outcomes[kinds.pop(name), outcome] += 1
    failures += [f"{name} ({kind}): in no list of the report" for name, kind in kinds.items()]
    if largest > MAX_IMAGE_BYTES:
        failures.append(f"an image of {largest:,} bytes")
    if slowest > 2 * DRAWING_S + 5:
        failures.append(f"a page took {slowest:.0f} s")
    workspace.engine.dispose()
    return MutationRun(outcomes, reasons, failures, time.monotonic() - started_at, slowest, largest)


@contextmanager
def _page_workers(workspace: Workspace) -> Iterator[PageWorkers]:
    workers = PageWorkers(
        workspace.root / "cache", size=2, limit_s=DRAWING_S, processor_s=DRAWING_S
    )
    try:
        yield workers
    finally:
        workers.pool.close()


def _general(reason: str) -> str:
    return re.sub(r"\S*\d{6}\.pdf\S*|\d[\d,.]*", "#", reason).strip()[:110]


def table(result: MutationRun) -> list[str]:
    """The lines of the table of outcomes, and what else is worth knowing."""
    columns = sorted({outcome for _, outcome in result.outcomes})
    sums = [sum(result.outcomes[kind, column] for kind in MUTATIONS) for column in columns]
    rows = {
        **{kind: [result.outcomes[kind, column] for column in columns] for kind in MUTATIONS},
        "all": sums,
    }
    return [
        f"| mutation | {' | '.join(columns)} |",
        *(f"| {kind} | {' | '.join(map(str, counts))} |" for kind, counts in rows.items()),
        *(f"{count:6} {reason}" for reason, count in result.reasons.most_common()),
        f"{result.seconds:.0f} s; slowest page {result.slowest_s:.1f} s, largest image "
        f"{result.largest:,} bytes",
        *(f"FAILED {failure}" for failure in result.failures),
    ]


def main() -> None:
    """Print the table of outcomes; exit code 1 where something happened that must not."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("bases", nargs="*", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        bases = generated_bases(folder)
        for base in options.bases:
            files = sorted(base.rglob("*.pdf")) if base.is_dir() else [base]
            bases += [file for file in files if 0 < file.stat().st_size <= MAX_BASE_BYTES]
        seeds = range(options.first, options.first + options.count)
        result = run_mutations(bases, seeds, folder)
    sys.stdout.write("\n".join(table(result)) + "\n")
    raise SystemExit(bool(result.failures))


if __name__ == "__main__":
    main()
