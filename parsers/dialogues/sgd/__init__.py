"""Schema-Guided Dialogue's files: dialogues, schemas, and what is made of them."""
