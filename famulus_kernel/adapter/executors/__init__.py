"""Where blocks are played: here, in worker processes, on a cluster (spec 3.8).

Nothing is imported here: `status` plays none.
"""
