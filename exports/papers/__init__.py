"""The tables and figures of benchmark papers, made of campaigns.

A module per paper builds a ``Paper`` from what reports compute; ``folder`` writes it.
"""
