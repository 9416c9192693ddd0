"""What several games share: functions, never base classes."""
