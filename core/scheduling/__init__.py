"""What happens by itself: the outbox and the worker's sign of life."""
