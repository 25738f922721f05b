"""This package contains the clients that send requests to a model, singly or in batches.

They log each reply before they return it.
"""
