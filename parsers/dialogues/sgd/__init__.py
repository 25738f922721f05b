"""Read SGD's file format of dialogues and schemas, which several datasets share."""
