"""The queues of people: work items, whom they are offered to, and what people do with them."""
