"""Protocols: what a campaign asks of its annotators.

The model and its sections and fields, reading and checking TOML, the reference in Markdown, and
the presets. Imports only ``errors``.
"""
