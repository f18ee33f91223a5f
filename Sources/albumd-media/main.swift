import Glibc

exit(runWorker())
