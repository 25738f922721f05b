"""The demo world: inputs written by hand, and modules that generate further inputs."""
