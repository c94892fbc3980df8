"""Files that people attach, and the signed links under which they are seen."""
