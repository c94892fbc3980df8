"""Inspection tasks: the rules by which they are made from shift plans, their life, their points and results."""
