"""Machines as a tree, and the words people use for faults."""
