"""Reads rows of JSON, JSONL, CSV, Parquet, Excel and zip files, with the line of each.

Also suggests document names and recognises file kinds. Knows nothing of tasks or runs.
"""
