"""Interrupts taken by the loop, in the thread that runs the tests."""

import asyncio
import signal
import threading
import time

import pytest

from prompts.talks.interrupts import WAITING, interrupts_by_the_loop

LONG = 20.0


def interrupt_elsewhere() -> None:
    """An interrupt that another thread takes, as the system may choose; the main one sleeps on."""
    time.sleep(0.02)
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


async def waits(told: list[str]) -> None:
    with interrupts_by_the_loop(told.append):
        threading.Thread(target=interrupt_elsewhere).start()
        await asyncio.sleep(LONG)


def test_an_interrupt_that_another_thread_takes_ends_the_run_at_once() -> None:
    before = signal.getsignal(signal.SIGINT)
    messages: list[str] = []
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(waits(messages))
    assert time.monotonic() - start < LONG / 2
    assert messages == [WAITING]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_interrupt_waits_for_nothing() -> None:
    messages: list[str] = []
    before = signal.getsignal(signal.SIGINT)

    async def stubborn() -> None:
        with interrupts_by_the_loop(messages.append):
            signal.raise_signal(signal.SIGINT)
            try:
                await asyncio.sleep(LONG)
            finally:
                signal.raise_signal(signal.SIGINT)
                await asyncio.sleep(LONG)

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(stubborn())
    assert time.monotonic() - start < LONG / 2
    assert messages == [WAITING]
    assert signal.getsignal(signal.SIGINT) is before


def test_ignored_interrupts_and_other_threads_stay_as_they_are() -> None:
    async def passes() -> object:
        with interrupts_by_the_loop():
            return signal.getsignal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert asyncio.run(passes()) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    handlers: list[object] = []
    thread = threading.Thread(target=lambda: handlers.append(asyncio.run(passes())))
    thread.start()
    thread.join()
    assert handlers == [before]
