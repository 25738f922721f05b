"""Write the files of the demo world from sources; tests compare them with the committed files."""
