"""Reports on repair: time per person, work per group, and the history of a machine. No part of the flow needs them."""
