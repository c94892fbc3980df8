"""Deployed definitions, and the questions that are answered from a definition alone."""
