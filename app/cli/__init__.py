"""The `pagetrail` command: its entry point, and what the commands share: options, terminal output,
progress bar. The commands are in the packages below.
"""
