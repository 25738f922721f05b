"""Run SQL statements of users, each in its own short-lived process."""
