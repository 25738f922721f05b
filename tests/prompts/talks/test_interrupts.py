"""Check that the event loop handles interrupts in the thread that runs the tests."""

import asyncio
import signal
import threading
import time

import pytest

from prompts.talks.interrupts import WAITING, interrupts_by_the_loop

LONG = 20.0


def interrupt_this_thread() -> None:
    """Send the interrupt to this thread, as the system may do, while the main thread sleeps."""
    time.sleep(0.02)
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)


async def wait_for_interrupt(messages: list[str]) -> None:
    with interrupts_by_the_loop(messages.append):
        threading.Thread(target=interrupt_this_thread).start()
        await asyncio.sleep(LONG)


def test_interrupt_received_by_another_thread_ends_the_run() -> None:
    before = signal.getsignal(signal.SIGINT)
    messages: list[str] = []
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(wait_for_interrupt(messages))
    assert time.monotonic() - start < LONG / 2
    assert messages == [WAITING]
    assert signal.getsignal(signal.SIGINT) is before


def test_second_interrupt_ends_the_run_without_waiting() -> None:
    messages: list[str] = []
    before = signal.getsignal(signal.SIGINT)

    async def wait_after_interrupt() -> None:
        with interrupts_by_the_loop(messages.append):
            signal.raise_signal(signal.SIGINT)
            try:
                await asyncio.sleep(LONG)
            finally:
                signal.raise_signal(signal.SIGINT)
                await asyncio.sleep(LONG)

    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(wait_after_interrupt())
    assert time.monotonic() - start < LONG / 2
    assert messages == [WAITING]
    assert signal.getsignal(signal.SIGINT) is before


def test_ignored_interrupts_and_other_threads_keep_their_handler() -> None:
    async def handler_inside() -> object:
        with interrupts_by_the_loop():
            return signal.getsignal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert asyncio.run(handler_inside()) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    handlers: list[object] = []
    thread = threading.Thread(target=lambda: handlers.append(asyncio.run(handler_inside())))
    thread.start()
    thread.join()
    assert handlers == [before]
