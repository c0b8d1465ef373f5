"""Worker processes: work with a time limit, done beside the process that asks for it.

``pool.WorkerPool.call`` runs a function in one of a fixed number of processes; ``process`` starts
a single one. ``garbage`` has Python look for garbage less often. Everything in storage and above
may import it; it imports only annotation's errors.
"""
