"""Tables of work items and of the queues that they wait in."""
