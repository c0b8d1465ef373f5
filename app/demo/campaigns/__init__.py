"""The demo's small campaigns, one of each preset: their tasks and some work done on them."""
