"""Queries with judged pages: test collections of TREC, BEIR and ViDoRe, as rows of tasks."""
