"""Preventive maintenance: maintenance orders from the plan to the check of the work."""
