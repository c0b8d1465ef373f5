"""Workspaces of earlier versions, opened by this one."""
