"""What is laid on a person's desk: messages inside the console."""
