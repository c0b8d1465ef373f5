"""Commands about a workspace as a whole: make one, serve it, its accounts, its demo, its agents'
server.
"""
