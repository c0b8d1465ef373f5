"""One person's burst waits behind itself; everybody else goes on."""

from __future__ import annotations

import asyncio

import pytest

from pagetrail.app.services.person_turns import TOO_MANY_FILES, PersonTurns, TooManyRequests


def test_a_burst_is_done_a_few_at_a_time_and_others_do_not_wait() -> None:
    """In the order asked for; the other person's one request is done while the burst is held."""

    async def scenario() -> None:
        turns = PersonTurns(at_once=2)
        release = asyncio.Event()
        under_way, max_under_way, completed = 0, 0, []

        async def take_turn(person: int, number: int) -> None:
            nonlocal under_way, max_under_way
            async with turns.turn(person):
                if person == 1:
                    under_way += 1
                    max_under_way = max(max_under_way, under_way)
                    await release.wait()
                    under_way -= 1
                completed.append((person, number))

        burst = [asyncio.create_task(take_turn(1, number)) for number in range(50)]
        await asyncio.sleep(0)
        await take_turn(2, 0)
        assert completed == [(2, 0)]
        release.set()
        await asyncio.gather(*burst)
        assert max_under_way == 2
        assert completed[1:] == [(1, number) for number in range(50)]

    asyncio.run(scenario())


def test_excess_waiting_requests_are_refused_with_a_retry_time() -> None:
    """The queue is bounded, and empty queues are forgotten."""

    async def scenario() -> None:
        turns = PersonTurns(at_once=1, max_waiting=3, refusal=TOO_MANY_FILES)
        release = asyncio.Event()

        async def hold() -> None:
            async with turns.turn(1):
                await release.wait()

        waiting = [asyncio.create_task(hold()) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(TooManyRequests, match="waiting for 3 files already"):
            await hold()
        release.set()
        await asyncio.gather(*waiting)
        await hold()
        assert not turns._queues

    asyncio.run(scenario())


def test_disconnected_client_leaves_the_queue() -> None:
    """A cancelled request takes no turn with it."""

    async def scenario() -> None:
        turns = PersonTurns(at_once=1, max_waiting=2)
        release = asyncio.Event()

        async def hold() -> None:
            async with turns.turn(1):
                await release.wait()

        first, second = asyncio.create_task(hold()), asyncio.create_task(hold())
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.gather(second, return_exceptions=True)
        third = asyncio.create_task(hold())
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(first, third)

    asyncio.run(scenario())
