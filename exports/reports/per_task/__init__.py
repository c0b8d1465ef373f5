"""What reports compute of each task's attempts, once for each state of the task.

Whichever report is asked for first, the events are read once: what the other one needs by default
is computed as well. Imported by the metrics and agreement reports.
"""
