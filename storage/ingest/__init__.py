"""Reading PDF files and page texts into the collection: worker processes with time limits, text
recognition, and the report of what each file became. Imports ``corpus`` and ``database``.
"""
