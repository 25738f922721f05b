"""What only shows when the machine is looked at, a module for each part of the configuration."""
