import Glibc

exit(Program.run())
