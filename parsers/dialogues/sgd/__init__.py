"""SGD's file format, which several datasets share: dialogues, schemas, definitions."""
