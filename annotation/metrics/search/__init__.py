"""How people and systems search: queries, ranks of gold pages, and distances."""
