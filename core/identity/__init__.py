"""Who is who: tenants, people, departments, teams; sign-in and its tokens."""
