"""Commands write stand-ins of charts."""

from tests.support.stand_in_charts import stand_in_charts

__all__ = ["stand_in_charts"]
