"""The only encoders and decoders: commits to and from the log, and everything that leaves for a viewer.

A log message is the MessagePack array [public, secrets, signature]. What a viewer gets is the public part
unchanged and the secrets he may open: redaction is leaving out, never rewriting.
"""

from schemas.codec.log import (
    MAX_BYTES,
    Message,
    Secret,
    false_openings,
    from_file,
    from_log,
    opening,
    opens,
    sealed_in,
    to_file,
    to_log,
)
from schemas.codec.players import (
    MAX_COMMAND_BYTES,
    TooLarge,
    from_listed,
    from_player,
    from_reply,
    from_synced,
    to_service,
)
from schemas.codec.reading import BadMessage, NeedsNewer, PublicBytes, Viewer
from schemas.codec.viewers import Covered, from_frame, from_service, may_open, to_frame, to_reply

__all__ = [
    "MAX_BYTES",
    "MAX_COMMAND_BYTES",
    "BadMessage",
    "Covered",
    "Message",
    "NeedsNewer",
    "PublicBytes",
    "Secret",
    "TooLarge",
    "Viewer",
    "false_openings",
    "from_file",
    "from_frame",
    "from_listed",
    "from_log",
    "from_player",
    "from_reply",
    "from_service",
    "from_synced",
    "may_open",
    "opening",
    "opens",
    "sealed_in",
    "to_file",
    "to_frame",
    "to_log",
    "to_reply",
    "to_service",
]
