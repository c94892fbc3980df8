"""Django's PostgreSQL, but moments are read ten times as fast."""
