"""Proofs that take minutes, run by `make prove`: a real server under kills, and many people at one item at once."""
