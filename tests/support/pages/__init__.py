"""All pages of the project, and the rules that each page must follow."""
