"""Home of the commands."""
