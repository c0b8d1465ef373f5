"""Commands about a workspace as a whole: create one, serve it, its accounts, its demo, its agents'
server.
"""
