"""What every application stands on: tenancy, operations, envelope, viewsets; it has no tables and no business words."""
