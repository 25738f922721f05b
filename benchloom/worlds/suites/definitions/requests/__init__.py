"""Draw requests to an app, whose instructions are phrased like the titles of the app's APIs."""
