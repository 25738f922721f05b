"""The program `python -I markup_probe.py LIMITS`, which tests whether markup can be parsed.

The markup comes from standard input in UTF-8. LIMITS are four numbers: seconds of processor time,
bytes of memory, nodes and levels. The exit code is 0 if the tree is within all limits; otherwise it
is `REFUSED`, and the reason is printed. If parsing alone exceeds the time, the system ends the
process. The module imports nothing of the project, because files in its folder, such as `html.py`,
would hide modules of the standard library.
"""

import resource
import sys

REFUSED = 3
# Total cost of searching, and of reading the text, inside every node.
MAX_AROUND = 8_000_000
MAX_TEXT_AROUND = 500_000_000


def main(seconds: int, memory: int, most_nodes: int, deepest: int) -> int:
    """Parse the markup on standard input within the limits, and return the exit code.

    `seconds` limits the processor time, `memory` the bytes of memory.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    text = sys.stdin.buffer.read().decode()
    try:
        root = LexborHTMLParser(text).root
    except (MemoryError, SelectolaxError) as error:
        sys.stdout.write(f"{type(error).__name__} while reading")
        return REFUSED
    node, nodes, depth, around, text_around = root, 0, 0, 0, 0
    while node is not None:
        nodes += 1
        around += depth
        if node.tag == "-text":
            text_around += depth * len(node.text_content or "")
        if nodes > most_nodes:
            sys.stdout.write(f"the page has more than {most_nodes} nodes")
            return REFUSED
        if around > MAX_AROUND or text_around > MAX_TEXT_AROUND:
            sys.stdout.write("the tree has too many deep nodes")
            return REFUSED
        inner = node.first_child
        if inner is not None:
            node = inner
            depth += 1
            if depth > deepest:
                sys.stdout.write(f"the page has more than {deepest} levels of nesting")
                return REFUSED
            continue
        while node is not None and node.next is None:
            node = node.parent
            depth -= 1
        node = node.next if node is not None else None
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
