"""The base of every application: tenancy, operations, errors, base models and the actor.

It has no tables of its own.
"""
