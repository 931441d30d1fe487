import Glibc
import VaultCommandLine

exit(CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
