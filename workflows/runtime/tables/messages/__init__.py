"""The table of message subscriptions."""
