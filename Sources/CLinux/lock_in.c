#define _GNU_SOURCE
#include "lock_in.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int linux_give_up_privileges(void) {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
    linux_pass_on_no_capabilities();
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0};
    if (syscall(SYS_capset, &header, sets) == 0) return 0;
    // The service's filter refuses capset(2) to everybody: then there must be none to give up.
    int code = errno;
    if (syscall(SYS_capget, &header, sets) != 0) return -1;
    for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        if (sets[i].permitted == 0 && sets[i].effective == 0) continue;
        errno = code;
        return -1;
    }
    return 0;
}

void linux_pass_on_no_capabilities(void) { prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); }

static int limit(int resource, uint64_t value) {
    struct rlimit both = {.rlim_cur = value, .rlim_max = value};
    return setrlimit(resource, &both);
}

int linux_limit_resources(uint64_t address_space, uint64_t descriptors) {
    if (limit(RLIMIT_AS, address_space) != 0 || limit(RLIMIT_NOFILE, descriptors) != 0) return -1;
    return limit(RLIMIT_FSIZE, 0) != 0 || limit(RLIMIT_CORE, 0) != 0 ? -1 : 0;
}

int linux_allow_processor_seconds(uint64_t seconds) {
    struct rusage used;
    struct rlimit both;
    if (getrusage(RUSAGE_SELF, &used) != 0 || getrlimit(RLIMIT_CPU, &both) != 0) return -1;
    uint64_t until = (uint64_t)used.ru_utime.tv_sec + (uint64_t)used.ru_stime.tv_sec + 1 + seconds;
    both.rlim_cur = until < both.rlim_max ? until : both.rlim_max;
    return setrlimit(RLIMIT_CPU, &both);
}

// The headers of Debian 12 know version 2 of the interface; later bits are asked for by number where the kernel has
// them (landlock(7)).
int linux_give_up_paths(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    // EPERM: a container's own filter, which knows no Landlock.
    if (version < 0) return errno == ENOSYS || errno == EOPNOTSUPP || errno == EPERM ? 0 : -1;
    struct {
        uint64_t file_system;
        uint64_t network;
    } rules = {.file_system = (UINT64_C(1) << 13) - 1};
    if (version >= 2) rules.file_system |= UINT64_C(1) << 13;  // REFER
    if (version >= 3) rules.file_system |= UINT64_C(1) << 14;  // TRUNCATE
    if (version >= 5) rules.file_system |= UINT64_C(1) << 15;  // IOCTL_DEV
    if (version >= 4) rules.network = 3;                       // BIND_TCP, CONNECT_TCP
    size_t size = version >= 4 ? sizeof rules : sizeof rules.file_system;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (ruleset < 0) return -1;
    int result = (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
    close(ruleset);
    return result;
}

#if defined(__x86_64__)
#define PROCESSOR AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define PROCESSOR AUDIT_ARCH_AARCH64
#endif

#ifdef PROCESSOR

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The low half of an argument: every processor named above is little-endian.
#define ANSWER(answer) BPF_STMT(BPF_RET | BPF_K, (answer))
#define REFUSED(code) ANSWER(SECCOMP_RET_ERRNO | (code))
#define ALLOW(call) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ANSWER(SECCOMP_RET_ALLOW)
// Allowed where the argument has one of these bits, or where it has none.
#define ALLOW_WITH(call, argument, bits)                                                                  \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD(args[argument]),                          \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), ANSWER(SECCOMP_RET_ALLOW), REFUSED(EPERM)
#define ALLOW_WITHOUT(call, argument, bits)                                                               \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD(args[argument]),                          \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 1, 0), ANSWER(SECCOMP_RET_ALLOW), REFUSED(EPERM)
#define ALLOW_IF_EQUAL(call, argument, value)                                                             \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 4), LOAD(args[argument]),                          \
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, 1), ANSWER(SECCOMP_RET_ALLOW), REFUSED(EPERM)

// A list of what is allowed: what a later kernel brings is refused before anybody has thought of it. Refused is EPERM
// and not the end of the process, because libraries try harmless things on the way (a locale, the number of
// processors) and do without. What is not in it: every way to open, make, rename or remove a file, to connect, to start
// a program or a process, to trace, to load, to signal others, to map memory that can be executed.
static struct sock_filter calls[] = {
    LOAD(arch),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROCESSOR, 1, 0),
    ANSWER(SECCOMP_RET_KILL_PROCESS),
    // The calls of x32 have a bit of their own, and are none of those below.
    LOAD(nr),

    // The descriptors that it has got: the socket and the file.
    ALLOW(read), ALLOW(pread64), ALLOW(readv), ALLOW(preadv), ALLOW(lseek), ALLOW(fstat),
    ALLOW(recvmsg), ALLOW(sendmsg), ALLOW(close), ALLOW(dup),
    // fstat(3) is this with an empty path. The path cannot be seen from here: that a name exists may be learned.
    ALLOW(newfstatat), ALLOW(statx),
    // Standard error, which leads to /dev/null.
    ALLOW_IF_EQUAL(write, 0, 2), ALLOW_IF_EQUAL(writev, 0, 2),
    // F_SETLEASE is not among them.
    ALLOW_IF_EQUAL(fcntl, 1, F_GETFL), ALLOW(fadvise64),

    // Memory, none of it to be executed.
    ALLOW_WITHOUT(mmap, 2, PROT_EXEC), ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
    ALLOW(munmap), ALLOW(mremap), ALLOW(madvise), ALLOW(brk),

    // Threads of its own, no process. The flags of clone3(2) lie in memory, out of sight; after ENOSYS glibc uses
    // clone(2).
    ALLOW_WITH(clone, 0, CLONE_THREAD),
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1), REFUSED(ENOSYS),
    ALLOW(futex), ALLOW(set_robust_list), ALLOW(rseq), ALLOW(sched_yield), ALLOW(sched_getaffinity), ALLOW(gettid),
    ALLOW(getpid), ALLOW(exit), ALLOW(exit_group), ALLOW_IF_EQUAL(prctl, 0, PR_SET_NAME), ALLOW(membarrier),

    // Its own signals and limits.
    ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack), ALLOW(restart_syscall),
    ALLOW_IF_EQUAL(prlimit64, 0, 0), ALLOW(getrusage),

    // Time, chance, and who one is.
    ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday),
    ALLOW(getrandom), ALLOW(uname), ALLOW(sysinfo), ALLOW(getuid), ALLOW(geteuid), ALLOW(getgid), ALLOW(getegid),

    REFUSED(EPERM),
};

int linux_filter_calls(void) {
    struct sock_fprog program = {.len = sizeof calls / sizeof *calls, .filter = calls};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
}

#else

int linux_filter_calls(void) {
    errno = ENOSYS;
    return -1;
}

#endif
