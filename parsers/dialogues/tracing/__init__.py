"""From the turns of a dialogue to calls and where each argument came from."""
