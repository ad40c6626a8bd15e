"""Live models: what is sent, over which address, and how an answer or an error comes back.

Nothing here stores anything. A request that fails is a `Completion` with its status; exceptions
are for what the user must mend before anything is sent.
"""
