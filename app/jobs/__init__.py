"""Long work in a process of its own: the manager of jobs, and the worker that runs one.

Imports nothing of the app, so that a worker starts fast.
"""
