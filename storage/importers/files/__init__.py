"""Rows out of JSON, JSONL, CSV, Parquet, Excel and zip files, with the position of each,
suggestions for misspelt document names, and what a file looks like. Reads no tasks and no runs.
"""
