"""Forms of steps: form-js schemas checked before a deployment, and what people send checked against them; no tables."""
