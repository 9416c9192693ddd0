"""The referee: takes what players ask for, and plays for managed seats."""
