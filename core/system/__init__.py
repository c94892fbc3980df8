"""Dictionaries and parameters."""
