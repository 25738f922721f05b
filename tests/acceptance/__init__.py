"""A new user's commands, from files to a published release, and the code in the documents."""
