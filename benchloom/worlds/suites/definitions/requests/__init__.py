"""Draw requests to an app, which are instructions worded after the titles of its APIs."""
