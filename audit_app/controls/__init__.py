"""Tasks whose right judgement is known: keys damaged in a known way, and keys known to be right."""
