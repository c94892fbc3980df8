"""The rows that an instance keeps beside its engine state: work items, timers, messages, queues, incidents."""
