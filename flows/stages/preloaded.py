"""What the server imports from which workers are forked.

With what these modules import it is most of what any stage needs: every stage has workers of its
own, and each of them imports what is not there. pandas is left out before Arrow looks for it.
"""

from flows.stages import lean_arrow

lean_arrow.slim_arrow()

import benchloom.release.gates  # noqa: E402  after what it must find done
import flows.stages.shortcuts.enrich  # noqa: E402  the same
import flows.stages.shortcuts.parse  # noqa: E402  the same

__all__ = ["benchloom", "flows"]
