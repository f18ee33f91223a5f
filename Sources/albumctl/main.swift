import Glibc

exit(Program.main())
