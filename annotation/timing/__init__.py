"""Wall time, active time and dwell, derived from an attempt's events; nothing here is stored.

Imports ``events`` only.
"""
