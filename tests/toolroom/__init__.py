"""A store of tools that exists in tests alone: one noun of each shape of the README's "A noun that is not plain".

Its calls are in the URL table of every test, so that all that `tests/contract` asks of nouns is asked of these.
"""
