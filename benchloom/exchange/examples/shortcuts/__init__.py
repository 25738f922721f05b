"""Examples of shortcuts: actions as calls, outputs and variables as references."""
