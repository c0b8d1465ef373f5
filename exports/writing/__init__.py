"""Writes files: reproducible bytes, folders that appear complete or not at all, the manifest, page
images, and the list of finished exports. May import `reading` only.
"""
