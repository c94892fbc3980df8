"""BPMN processes: the engine, their deployments and instances, the queues of people and the timers."""
