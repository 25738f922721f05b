"""The conformance kit: cases that any implementation of shortcuts can run."""
