"""Fills core's port to processes with this half."""
