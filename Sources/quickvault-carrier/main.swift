import Glibc

// Skip the libraries' exit handlers, which only cost time.
_exit(Program.run())
