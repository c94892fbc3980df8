"""Speed as ratios inside one run; printed, never asserted (`make bench`)."""
