"""Settings, URLs and commands; it puts the applications together and nobody imports it."""
