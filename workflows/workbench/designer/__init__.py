"""The questions of the designer before a deployment: permitted names, recipients of a step, the dry run."""
