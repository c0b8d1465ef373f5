"""Campaigns: finding them, opening, closing and archiving them, and their guidelines.

Imports ``people`` and ``database``.
"""
