"""What browser tests share: server processes, prepared workspaces, screens and steps."""
