"""What happened: one event row an act, of which business log and timeline are views."""
