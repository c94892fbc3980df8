"""Shift plans: shifts, teams and their rotation, the calendar of who works when, and business dates."""
