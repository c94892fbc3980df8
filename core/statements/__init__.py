"""SQL text compiled once and run many times: what the ORM has made of a queryset, and plain inserts and updates.

It has no tables of its own.
"""
