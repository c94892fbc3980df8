"""Messages between processes: who waits for which, and how one that is thrown gets there."""
