"""The rows that apps start with, made by rule; one module for each app that has many."""
