"""The table of process instances."""
