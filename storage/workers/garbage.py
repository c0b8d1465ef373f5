"""How often Python looks for objects that refer to each other in a circle.

Unless told, it looks after every 700 new objects, and through all older ones whenever they have
grown by a quarter. Reading a campaign makes millions of objects that stay and form no circles: a
third of a report's processor time went into looking through them. In the server each look through
everything that is loaded is a pause for everybody.
"""

from __future__ import annotations

import gc

_NEW_OBJECTS = 50_000


def collect_rarely() -> None:
    """Look after 50,000 new objects from now on; the process grows by a few MB."""
    gc.set_threshold(_NEW_OBJECTS)


def keep_what_is_loaded() -> None:
    """Never look through what exists now, such as modules: it stays as long as the process."""
    gc.freeze()
