"""The entry point of `frontdesk` and `python -m frontdesk`."""

import gc
import signal
from importlib import import_module


def main() -> None:
    """During imports nothing has been started yet, so a signal may end the process immediately.

    Python's default handler would raise KeyboardInterrupt inside an import, where C code can swallow it.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})  # a parent may have blocked them
    gc.disable()  # imported modules stay, so none of them is garbage; enabled again when the command is loaded
    import_module("frontdesk.cli.main").main()


if __name__ == "__main__":
    main()
