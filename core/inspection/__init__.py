"""Inspection: check standards with their items, and routes with the points at which assets are checked."""
