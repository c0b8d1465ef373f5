"""Background jobs: the manager in the server, and the worker process that runs one.

The package imports nothing else of the app, so that a worker starts fast.
"""
