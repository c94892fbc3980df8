"""Execution of instances: each step locks the instance, runs the engine and stores the result in one transaction."""
