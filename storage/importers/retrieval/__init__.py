"""Reads test collections of TREC, BEIR and ViDoRe (queries with judged pages) as task rows."""
