import TestSupport
import Testing

/// A wall clock of a program's own: a file says how many seconds it is from the real one.
///
/// The clocks of timers and the times of files stay the kernel's. libfaketime is not used: under its 0.9.10 a wait on
/// the monotonic clock returns at once, and what it adds to the environment costs a Swift program its arguments.
enum FakeTime {
    static let isAvailable =
        (try? withScratchFolder("faketime") { try run(["g++", "--version"], in: $0).end == .code(0) }) ?? false

    /// Builds it below the scratch folder, and gives what starts a program under it.
    static func wrapper(clock: String, in scratch: ScratchFolder) throws -> [String] {
        let (source, library) = (scratch.path("clock.cpp"), scratch.path("clock.so"))
        try PosixProgram().write(source, text)
        let built = try run(["g++", "-shared", "-fPIC", "-o", library, source], in: scratch)
        try #require(built.end == .code(0), "\(built.output)")
        return ["env", "LD_PRELOAD=\(library)", "TEST_CLOCK=\(clock)"]
    }

    private static let text = """
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        extern "C" {
        int clock_gettime(clockid_t clock, struct timespec *now) noexcept {
            long failed = syscall(SYS_clock_gettime, clock, now);
            const char *path = getenv("TEST_CLOCK");
            if (failed || clock != CLOCK_REALTIME || !path) return failed;
            char text[32] = {};
            int file = open(path, O_RDONLY | O_CLOEXEC);
            if (file >= 0 && read(file, text, sizeof text - 1) > 0) now->tv_sec += atoll(text);
            close(file);
            return 0;
        }
        int gettimeofday(struct timeval *now, void *) noexcept {
            struct timespec time;
            clock_gettime(CLOCK_REALTIME, &time);
            *now = {time.tv_sec, time.tv_nsec / 1000};
            return 0;
        }
        time_t time(time_t *seconds) noexcept {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (seconds) *seconds = now.tv_sec;
            return now.tv_sec;
        }
        }
        """
}
