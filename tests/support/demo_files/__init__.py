"""Scripts that write the files of the demo world; tests compare the committed files with them."""
