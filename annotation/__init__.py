"""The domain: protocols, events, attempts and everything computed from them.

Knows no database, no web server and no file of a workspace; imports nothing else of Pagetrail.
"""
