"""Playing plans: the request and result, the harnesses, and the versions of operations.

Nothing is imported here: `status` asks for the versions of operations and plays none.
"""
