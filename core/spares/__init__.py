"""Spare parts: masters, the ledger of their stock, requests for them, counts and what to reorder."""
