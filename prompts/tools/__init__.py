"""This package offers API definitions to models as tools: it finds, samples and checks them."""
