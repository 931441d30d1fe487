import Glibc
import Service

exit(Program.run())
