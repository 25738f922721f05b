"""The stages of listings crawl sites, download shortcuts, and read the captured responses."""
