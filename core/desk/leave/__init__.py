"""Requests for leave, from the application to the approval; a process moves them."""
