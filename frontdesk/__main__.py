"""The program `frontdesk`, also as `python -m frontdesk`."""

import signal


def main() -> None:
    """While Python loads the rest nothing has been started, so a signal may end the process there and then.

    Python's own handler would raise KeyboardInterrupt into an import, where C code can swallow it.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})  # else a parent's mask makes us deaf
    from frontdesk.cli import main as run  # noqa: PLC0415 - after the signal

    run()


if __name__ == "__main__":
    main()
