"""The replay of attempts: the browser's script, the details below it, and the choice of an
attempt. Imported by the replay view.
"""
