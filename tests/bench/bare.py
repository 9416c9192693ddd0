"""A bare referee on nats-py: it stores each action, answers, and sends five frames; no rules, no proof, no secrets.

It is what the services are measured beside. Run as a process: `python -m tests.bench.bare URL FRAME_BYTES`.
"""

import asyncio
import sys
from typing import Any

import msgspec
import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.api import StorageType, StreamConfig
from uvloop import new_event_loop

SEATS = 4
STREAM = "BARE"
CHOICES = {"choices": [{"type": "play", "cards": [card]} for card in ("2c", "3d", "4h", "5s", "Tc", "Jd", "Qh", "Ks")]}


class Referee:
    """Keeps of each match how many actions are stored, and the sequence number of the last."""

    def __init__(self, client: Client, frame_bytes: int) -> None:
        self._client = client
        self._stream = client.jetstream()
        frames = [msgspec.msgpack.encode(self._frame("M" * 13, seat, 1, b"")) for seat in range(SEATS)]
        self._filler = bytes(max(0, frame_bytes - sum(map(len, frames)) // SEATS))
        self._last = dict[str, tuple[int, int]]()
        self._tasks = set[asyncio.Task[None]]()

    async def take(self, message: Msg) -> None:
        """Take an action in; matches do not wait for each other."""
        task = asyncio.create_task(self._act(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _act(self, message: Msg) -> None:
        _, match, seat = message.subject.split(".")
        command: dict[str, Any] = msgspec.msgpack.decode(message.data)
        index, sequence = self._last.get(match, (0, 0))
        if command["action"].get("type") != "begin":
            ack = await self._stream.publish(
                f"bare.{match}",
                message.data,
                headers={"Nats-Expected-Last-Subject-Sequence": str(sequence)},
            )
            sequence = ack.seq
        index += 1
        self._last[match] = index, sequence
        accepted = {"type": "accepted", "match": match, "index": index, "seat": int(seat)}
        await self._client.publish(message.reply, msgspec.msgpack.encode(accepted))
        for viewer in (*range(SEATS), None):
            frame = self._frame(match, viewer, index, self._filler)
            subject = f"view.{match}.rail" if viewer is None else f"view.{match}.seat.{viewer}"
            await self._client.publish(subject, msgspec.msgpack.encode(frame))

    def _frame(self, match: str, viewer: int | None, index: int, filler: bytes) -> list[Any]:
        turn = index % SEATS == viewer
        return ["frame", match, viewer, index, filler, [], b"", {}, CHOICES if turn else {}, turn]


async def main(url: str, frame_bytes: int) -> None:
    """Serve until the process is ended."""
    client = await nats.connect(url)
    await client.jetstream().add_stream(StreamConfig(name=STREAM, subjects=["bare.>"], storage=StorageType.FILE))
    await client.subscribe("cmd.*.*", cb=Referee(client, frame_bytes).take)
    await client.flush()
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(main(sys.argv[1], int(sys.argv[2])))
