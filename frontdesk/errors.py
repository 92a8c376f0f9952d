class StartupError(Exception):
    """The program cannot start. The message is one line that says what to do; the exit status is 2."""
