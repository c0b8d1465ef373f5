"""Records which results of the old workspace differ from those of the version that wrote it.

    python -m tests.upgrades.record [--show PATH]

``results.tar.xz`` holds every result as that version gave it and never changes. ``changed/`` has a
file per kind of result with the digests of those that are different now; it is rewritten. Each
needs its reason in ``test_old_workspace.ALLOWED``. A summary is printed, and with ``--show`` the
difference of one result, or of all whose path begins so.

``--baseline`` writes ``results.tar.xz``. It is for a new workspace only, with the code that wrote
it (see ``make_workspace``):

    cp -r tests/upgrades /tmp/v1/tests && cd /tmp/v1
    PYTHONPATH=/tmp/v1 python -m tests.upgrades.record --baseline
"""

from __future__ import annotations

import argparse
import difflib
import io
import shutil
import tarfile
from collections import Counter, defaultdict
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.upgrades.results import Results, campaigns_of, kind_of, results_of

HERE = Path(__file__).parent
WORKSPACE, BASELINE, CHANGED = (
    HERE / "workspace.tar.xz",
    HERE / "results.tar.xz",
    HERE / "changed",
)
MISSING = "missing"
"""In place of the digest of a result that is no longer there."""
COMMAND = "python -m tests.upgrades.record"


def unpack(folder: Path) -> None:
    """The folder ``workspace`` and the file ``backup`` of the old version."""
    with tarfile.open(WORKSPACE) as archive:
        archive.extractall(folder, filter="data")


def baseline() -> Results:
    """The results of the version that wrote the workspace."""
    results = {}
    with tarfile.open(BASELINE) as archive:
        for member in archive:
            content = archive.extractfile(member)
            assert content is not None
            results[member.name] = content.read().decode("utf-8")
    return results


def digest(text: str) -> str:
    """Enough of a hash to tell results apart."""
    return sha256(text.encode("utf-8")).hexdigest()[:16]


def differences(before: Results, after: Results) -> dict[str, str]:
    """Path → digest, or ``MISSING``, of the results that differ."""
    return {
        path: digest(after[path]) if path in after else MISSING
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    }


def recorded_changes() -> dict[str, str]:
    """The differences in ``changed/``."""
    return dict(
        line.split("\t")
        for file in sorted(CHANGED.glob("*.tsv"))
        for line in file.read_text(encoding="utf-8").splitlines()
    )


def save(changes: Mapping[str, str]) -> None:
    """Rewrite ``changed/``, one file per kind of result."""
    lines: dict[str, list[str]] = defaultdict(list)
    for path, value in sorted(changes.items()):
        lines[kind_of(path)].append(f"{path}\t{value}\n")
    shutil.rmtree(CHANGED, ignore_errors=True)
    for kind, kind_lines in lines.items():
        CHANGED.mkdir(exist_ok=True)
        (CHANGED / f"{kind}.tsv").write_text("".join(kind_lines), encoding="utf-8")


def difference(before: str, after: str, max_lines: int = 40) -> str:
    """The first values in which two results differ."""
    lines = difflib.unified_diff(
        values_in(before), values_in(after), "before", "now", "", "", 1, ""
    )
    return "\n".join(line[:400] for line, _ in zip(lines, range(max_lines), strict=False))


def values_in(text: str) -> list[str]:
    """Lines; of JSON on one line, each value on its own."""
    return [part for line in text.splitlines() for part in line.split(', "')]


def save_baseline(results: Results) -> None:
    """Write ``results.tar.xz``."""
    with tarfile.open(BASELINE, "w:xz", preset=9) as archive:
        for path, text in sorted(results.items(), key=lambda item: (kind_of(item[0]), item[0])):
            content = text.encode("utf-8")
            member = tarfile.TarInfo(path)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--show", metavar="PATH", help="print the difference of these results")
    parser.add_argument("--baseline", action="store_true", help="for a new workspace only")
    options = parser.parse_args()
    with TemporaryDirectory() as scratch:
        unpack(Path(scratch))
        root = Path(scratch) / "workspace"
        after: Results = {}
        for campaign in campaigns_of(root):
            after |= results_of(root, campaign)
    if options.baseline:
        save_baseline(after)
        print(f"{len(after)} results")
        return
    before, earlier = baseline(), recorded_changes()
    changes = differences(before, after)
    save(changes)
    news = {path for path in changes if changes[path] != earlier.get(path)}
    print(f"{len(changes)} of {len(before)} results differ; new or changed since: {len(news)}")
    for kind, count in sorted(Counter(map(kind_of, news)).items()):
        print(f"  {kind}: {count}")
    for path in sorted(changes):
        if options.show is not None and path.startswith(options.show):
            print(f"\n{path}\n{difference(before.get(path, ''), after.get(path, ''))}")


if __name__ == "__main__":
    main()
