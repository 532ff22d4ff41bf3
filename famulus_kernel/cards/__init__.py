"""Capability cards: what each plan can do, in the words in which people ask for it (spec 9)."""
