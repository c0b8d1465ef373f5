"""Readers of foreign files.

``files`` reads rows, ``preannotations``, ``retrieval`` and ``runs`` read their formats, and
``tasks`` makes campaigns and batches of what was read. Nothing in ``storage`` imports it.
"""
