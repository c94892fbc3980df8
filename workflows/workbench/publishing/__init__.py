"""Drafts and deployed versions: editing, uploading, deploying, suspending, deleting."""
