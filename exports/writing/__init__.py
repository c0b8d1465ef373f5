"""How files are written: stable bytes, folders that appear complete or not at all, the manifest,
page images, the list of finished exports. May import `reading` only.
"""
