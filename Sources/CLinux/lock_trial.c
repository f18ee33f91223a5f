#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lock_in.h"

static long try_open(void) { return open("/", O_RDONLY | O_CLOEXEC); }
static long try_create(void) { return open("/tmp/albumd-media", O_WRONLY | O_CREAT | O_CLOEXEC, 0600); }
static long try_unlink(void) { return unlink("/tmp/albumd-media"); }
static long try_socket(void) { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }
static long try_unix_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }
static long try_trace(void) { return ptrace(PTRACE_TRACEME, 0, 0, 0); }
static long try_signal(void) { return kill(getppid(), 0); }
static long try_new_executable_memory(void) {
    return mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0;
}

static long try_execute(void) {
    char *const none[] = {NULL};
    // Where the lock has a hole, the test sees this process gone.
    return execve("/bin/true", none, none);
}

static long try_fork(void) {
    long process = fork();
    if (process == 0) _exit(0);
    return process;
}

static const struct {
    const char *name;
    long (*call)(void);
} trials[] = {
    {"open", try_open}, {"create", try_create}, {"unlink", try_unlink}, {"socket", try_socket},
    {"unix socket", try_unix_socket}, {"ptrace", try_trace}, {"kill", try_signal},
    {"executable memory", try_new_executable_memory}, {"fork", try_fork}, {"execve", try_execute},
};

const char *linux_try_call(int index, int *code) {
    if (index < 0 || (size_t)index >= sizeof trials / sizeof *trials) return NULL;
    errno = 0;
    *code = trials[index].call() < 0 ? errno : 0;
    return trials[index].name;
}
