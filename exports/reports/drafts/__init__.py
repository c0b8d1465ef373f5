"""The report on models' drafts of gold."""
