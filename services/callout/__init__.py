"""The callout: tells the NATS server who a connection of the outside is, and what it may therefore do."""
