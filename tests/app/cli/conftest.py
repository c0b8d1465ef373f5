"""Commands write specs of charts instead of images."""

from tests.support.undrawn_charts import undrawn_charts

__all__ = ["undrawn_charts"]
