"""Tables of process definitions and of their drafts."""
