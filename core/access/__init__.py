"""Who may do what: roles, menus with their buttons, grants, data scope."""
