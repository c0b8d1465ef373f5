"""How far a campaign is: counts per batch and annotator, pace, and agreement so far.

Works on columns of numbers; nothing in ``annotation`` imports it.
"""
