"""The tools of those who draw, publish and look after processes."""
