"""The shell: everything with a clock, a socket or an environment variable."""
