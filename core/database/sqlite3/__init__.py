"""Django's SQLite, but a write that keeps others waiting is reported, and one that failed holds nothing."""
