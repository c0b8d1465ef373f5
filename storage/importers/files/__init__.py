"""Rows out of JSON, JSONL, CSV, Parquet and zip files, with the position of each, and suggestions
for misspelt document names. Knows nothing of tasks or runs.
"""
