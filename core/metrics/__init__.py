"""Figures of the plant, which the boards show: sums and rates over a period, each with what it is made of."""
