"""Messages, notices and leave."""
