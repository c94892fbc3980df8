"""Tests of the whole product; `cast.py` has the people and machines that appear in them."""
