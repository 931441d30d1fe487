import Glibc
import VaultServer

exit(Program.run())
