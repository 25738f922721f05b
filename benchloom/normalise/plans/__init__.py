"""Build, check, measure and select plans, whatever dataset they come from."""
