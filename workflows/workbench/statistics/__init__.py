"""Counts and durations of instances and steps, by model and version."""
