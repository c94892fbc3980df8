"""The rules that the database itself holds: row-level security, references within a tenant, insert-only tables."""
