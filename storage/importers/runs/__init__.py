"""Agents' runs out of result files: one module per format, the checks against the campaign, and the
import itself.
"""
