"""Parts that several Streamlit screens share: the signed-in person, Markdown from untrusted text,
tables, charts and downloads of reports. May import `services` only.
"""
