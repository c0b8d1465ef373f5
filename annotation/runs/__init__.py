"""Runs of agents, whatever file they come from: the run as a record, its time stamps, and the
events it becomes. Imports ``events`` only.
"""
