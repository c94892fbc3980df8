"""What those who draw a process ask before it is deployed: what it may name, who would get a step, how it would run."""
