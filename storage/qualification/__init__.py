"""Who has passed a pilot: submitted pilot tasks with their results, supervisors' decisions, and the
gate that ``batches`` asks before it gives work. The screens about pilots are in ``pilots``.
"""
