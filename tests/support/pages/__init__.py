"""Every page that we make, and the rules that each of them keeps."""
