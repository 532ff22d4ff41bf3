"""The language institution: a small server that checks texts and words, its client, and the guard (spec 3.9, 6.4)."""
