"""The shell around the rules: everything with a clock, a socket or an environment variable."""
