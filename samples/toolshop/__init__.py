"""The bundled benchmark toolshop: its source texts and the generator that writes it."""
