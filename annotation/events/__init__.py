"""Everything that can happen in an attempt: one class per type of event, by subject.

A class says all about its type: the fields of the payload with their units, the traits (work, edit,
lane in a replay, see ``Payload``), and the sentence in words. Whatever needs a list of
types takes it from ``EVENT_TYPES``. The log is append-only: a correction, a reopening and a closing
are events like any other.
"""

from pagetrail.annotation.events.agents import *  # noqa: F403
from pagetrail.annotation.events.aids import *  # noqa: F403
from pagetrail.annotation.events.base import *  # noqa: F403
from pagetrail.annotation.events.boxes import *  # noqa: F403
from pagetrail.annotation.events.forms import *  # noqa: F403
from pagetrail.annotation.events.model_usage import *  # noqa: F403
from pagetrail.annotation.events.page_text import *  # noqa: F403
from pagetrail.annotation.events.pages import *  # noqa: F403
from pagetrail.annotation.events.returning import *  # noqa: F403
from pagetrail.annotation.events.review import *  # noqa: F403
from pagetrail.annotation.events.tables import *  # noqa: F403
from pagetrail.annotation.events.transcripts import *  # noqa: F403
from pagetrail.annotation.events.work import *  # noqa: F403
