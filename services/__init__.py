"""The rules, the runtime and the services built on them."""
