"""The table of timers."""
