"""The follow screen: running instances of the company, and what operators do with them."""
