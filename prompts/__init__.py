"""LLM steps: typed prompts, the client and the completion log."""
