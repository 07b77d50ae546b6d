"""The judge in conversation: facts and questions, one a line."""
