"""The demo world: hand-written inputs, and modules that build further inputs."""
