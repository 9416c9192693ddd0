"""The gallery: follows the log and publishes to each viewer what he may see."""
