"""One block (adapter) and a project of them (runner): the floor on which every surface stands.

Nothing is imported here: `status` must not wait for a database it does not open.
"""
