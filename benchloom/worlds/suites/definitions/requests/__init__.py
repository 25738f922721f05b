"""Draw requests to an app: instructions worded by the titles of its APIs, with fitting values."""
