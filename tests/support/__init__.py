"""What tests of several packages share: workspaces, event logs in memory, reference models."""
