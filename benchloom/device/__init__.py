"""A simulated device that runs shortcuts; equal inputs and answers give equal results.

    from benchloom.device.runs import run

    result = run(shortcut)
    print(result.outcome, result.effects)

Nothing here reaches the network, the disk or the clock of the machine.
"""
