"""What supervisors see of pilots and decide on them, and pilots compared with production.

Imports ``qualification`` and ``batches``; nothing in ``storage`` imports it.
"""
