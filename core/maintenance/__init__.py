"""Repair orders: what people do with them (operations) and what their process does to them (effects)."""
