"""A process that sends one message again and again, so many times a second, and prints how many were sent and answered.

python -m tests.services.flood URL MATCH TOKEN SUBJECT BODY RATE SECONDS: as seat 0, token and body in hex
"""

import asyncio
import sys
import time

from nats.aio.msg import Msg

from services.client import connect_seat

ANSWER_SECONDS = 20.0
"""How long answers may take to come, once all is sent."""


async def flood(url: str, match: str, token: bytes, subject: str, body: bytes, *, rate: int, seconds: int) -> None:
    """Send so many a second, as far as this process can, and wait for the answers."""
    answered = 0
    last = asyncio.Event()

    async def count(_: Msg) -> None:
        nonlocal answered
        answered += 1
        if answered == rate * seconds:
            last.set()

    async with connect_seat(url, match, 0, token) as client:
        inbox = client.new_inbox()
        await client.subscribe(inbox, cb=count)
        began = time.monotonic()
        for sent in range(rate * seconds):
            await client.publish(subject, body, reply=inbox)
            if sent % 100 == 0:
                await asyncio.sleep(max(0.0, sent / rate - (time.monotonic() - began)))
        took = time.monotonic() - began
        await client.flush()
        async with asyncio.timeout(ANSWER_SECONDS):
            await last.wait()
    sys.stdout.write(f"{rate * seconds} {answered} {took}\n")


if __name__ == "__main__":
    url, match, token, subject, body, rate, seconds = sys.argv[1:]
    asyncio.run(
        flood(url, match, bytes.fromhex(token), subject, bytes.fromhex(body), rate=int(rate), seconds=int(seconds))
    )
