"""Commands write placeholders of charts."""

from tests.support.placeholder_charts import placeholder_charts

__all__ = ["placeholder_charts"]
