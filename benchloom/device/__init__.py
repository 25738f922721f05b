"""Simulate a device that runs Apple Shortcuts; equal inputs and answers give equal results.

    from benchloom.device.runs import run

    result = run(shortcut)
    print(result.outcome, result.effects)

No run uses the network, the disk or the clock of the machine.
"""
