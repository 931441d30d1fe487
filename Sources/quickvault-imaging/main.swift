import Glibc

// `_exit` and not `exit`: libraries' closing work would only cost time.
_exit(Worker.run())
