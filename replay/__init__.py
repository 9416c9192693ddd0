"""Reading finished or running logs: fold, audit, story, files."""
