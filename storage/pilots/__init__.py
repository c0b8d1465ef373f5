"""Pilots for supervisors: results, decisions, and comparison with production.

Imports ``qualification`` and ``batches``; nothing in ``storage`` imports it.
"""
