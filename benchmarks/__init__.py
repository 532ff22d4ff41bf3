"""What famulus costs beside its peers and beside the hand-written way; `make benchmarks` prints the table.

Every measure is a ratio taken in one run on one machine: seconds alone say more of the machine than of the program.
"""
