"""What reports compute from each task's attempts, once for each state of the task.

The first report reads the events and also computes what the other one needs by default, so that
they are read once. Imported by the metrics and agreement reports.
"""
