"""Commands on instances and work items, from people, from timers, from messages and from the business records."""
