"""What every entry point shares: composition of the services of one process, sessions, signed
tokens, throttling, the security log, supervisors' rights, the review worker, addresses. The
lowest package of the app except `jobs`; imports no screen, no route and no Streamlit.
"""
