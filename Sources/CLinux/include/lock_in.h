#pragma once
// How a process gives up what it can do, before it reads what strangers wrote (RULES S3). Each returns 0, or -1 and
// errno; none can be undone. They are called in this order, by the only thread there is.
#include <stdint.h>

// No new privileges (PR_SET_NO_NEW_PRIVS), no capability in any set (capset(2)), no core dump, no debugger
// (PR_SET_DUMPABLE).
int linux_give_up_privileges(void);
// PR_CAP_AMBIENT_CLEAR_ALL: what the calling thread starts from now on has no capability of its; its own stay. Where
// the kernel has no ambient capabilities there are none to clear.
void linux_pass_on_no_capabilities(void);
// setrlimit(2): RLIMIT_AS, RLIMIT_NOFILE, and RLIMIT_FSIZE, RLIMIT_CORE of 0.
int linux_limit_resources(uint64_t address_space, uint64_t descriptors);
// RLIMIT_CPU: the process may use so many seconds more than it has until now, then SIGXCPU ends it. May be called
// again and again, also behind the filter.
int linux_allow_processor_seconds(uint64_t seconds);
// Landlock with no path: nothing can be opened, made, renamed or removed, nothing bound or connected. A kernel or a
// container without Landlock is passed over: the filter alone refuses the same calls.
int linux_give_up_paths(void);
// The seccomp filter of lock_in.c. ENOSYS on a processor that it has no names for.
int linux_filter_calls(void);
// Tries the call of that number, which the lock has to refuse: its name, and its errno or 0; NULL behind the last.
const char *linux_try_call(int index, int *code);
