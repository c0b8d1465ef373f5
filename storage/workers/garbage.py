"""How often Python's garbage collector looks for reference cycles.

By default it looks after every 700 new objects, and through all older ones whenever they have grown
by a quarter. Reading a campaign creates millions of objects that stay and form no cycles: a third
of a report's processor time went into garbage collection. In the server each full collection is a
pause for everybody.
"""

from __future__ import annotations

import gc

_NEW_OBJECTS = 50_000


def collect_rarely() -> None:
    """Collect after 50,000 new objects from now on; the process grows by a few MB."""
    gc.set_threshold(_NEW_OBJECTS)


def freeze_loaded_objects() -> None:
    """Exclude all existing objects, such as modules, from garbage collection."""
    gc.freeze()
