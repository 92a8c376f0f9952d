"""The program `frontdesk`, also as `python -m frontdesk`."""

import signal
from importlib import import_module


def main() -> None:
    """While Python loads the rest nothing has been started, so a signal may end the process there and then.

    Python's own handler would raise KeyboardInterrupt into an import, where C code can swallow it.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})  # else a parent's mask makes us deaf
    import_module("frontdesk.cli.main").main()


if __name__ == "__main__":
    main()
