"""The HTTP calls of the work list and of a process's history and diagram."""
