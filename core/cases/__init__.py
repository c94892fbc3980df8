"""What cases share: a case is a record that a process moves, such as a repair order."""
