"""What a stranger does, as commands: from files to a published release, and the documents' code."""
