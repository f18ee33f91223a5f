import Daemon
import Glibc

exit(await Daemon.run(arguments: Daemon.commandLine()))
