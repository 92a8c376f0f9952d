def local_path(path: str) -> str:
    """Prevents open redirects: browsers treat // and /\\ at the start of a path as another host."""
    safe = path.startswith("/") and path[1:2] not in ("/", "\\") and path.isprintable() and path.isascii()
    return path if safe else "/"
