"""Players without judgement: they see only their seat's frames, and choose at random among what is legal."""
