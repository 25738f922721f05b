"""Planning paths in prompts and templates."""
