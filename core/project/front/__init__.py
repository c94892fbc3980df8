"""The front door: takes a call in whole before one of the few threads works on it, and refuses what is too much."""
