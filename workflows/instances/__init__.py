"""Running processes: one row each, moved from one waiting point to the next in one transaction."""
