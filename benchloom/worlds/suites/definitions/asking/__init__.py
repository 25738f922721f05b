"""Draw requests to an app: orders worded by the titles of its APIs, and fitting values."""
