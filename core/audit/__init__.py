"""The audit log: one event row for each operation, shown as the usual log and as the history of records."""
