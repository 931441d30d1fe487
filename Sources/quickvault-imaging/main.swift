import Glibc

// Skip the libraries' exit handlers, which only cost time.
_exit(Worker.run())
