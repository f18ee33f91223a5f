#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int fail(int code) {
    errno = code;
    return -1;
}

static int close_failing(int descriptor, int code) {
    close(descriptor);
    return fail(code);
}

// Which mount a descriptor is on; where the kernel does not say (before Linux 5.8), the device has to do.
static int mount_of(int descriptor, uint64_t *mount) {
    struct statx facts;
    int result = statx(descriptor, "", AT_EMPTY_PATH | AT_NO_AUTOMOUNT, STATX_MNT_ID, &facts);
    if (result != 0) return result;
    *mount = facts.stx_mask & STATX_MNT_ID ? facts.stx_mnt_id : (uint64_t)facts.stx_dev_major << 32 | facts.stx_dev_minor;
    return 0;
}

// The descriptor if it is on that mount; else it is closed.
static int held_to(int descriptor, uint64_t mount) {
    uint64_t own;
    if (descriptor < 0) return descriptor;
    if (mount_of(descriptor, &own) != 0) return close_failing(descriptor, errno);
    return own == mount ? descriptor : close_failing(descriptor, EXDEV);
}

// openat(2) of one component that is no symlink. O_DIRECTORY makes ENOTDIR of a symlink, which ELOOP tells better.
static int open_component(int directory, const char *name, int flags, mode_t mode) {
    int descriptor = openat(directory, name, flags | O_NOFOLLOW | O_CLOEXEC, mode);
    struct stat facts;
    if (descriptor >= 0 || errno != ENOTDIR) return descriptor;
    if (fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(facts.st_mode)) return fail(ELOOP);
    return fail(ENOTDIR);
}

int linux_walk_beneath(int directory, const char *path, int flags, uint64_t mode) {
    uint64_t mount;
    if (*path == '/') return fail(EXDEV);
    if (*path == 0) return fail(ENOENT);
    if (mount_of(directory, &mount) != 0) return -1;
    int place = directory;
    while (true) {
        size_t length = strcspn(path, "/");
        const char *rest = path + length + strspn(path + length, "/");
        char name[NAME_MAX + 1];
        bool is_last = *rest == 0;
        int next;
        if (length > NAME_MAX) {
            next = fail(ENAMETOOLONG);
        } else {
            memcpy(name, path, length);
            name[length] = 0;
            next = strcmp(name, "..") == 0 ? fail(EXDEV)
                   : is_last ? open_component(place, name, flags | O_NONBLOCK | O_NOCTTY, (mode_t)mode)
                             : open_component(place, name, O_PATH | O_DIRECTORY, 0);
            next = held_to(next, mount);
        }
        if (place != directory) {
            int code = errno;
            close(place);
            errno = code;
        }
        if (is_last || next < 0) return next;
        place = next;
        path = rest;
    }
}

int linux_open_beneath(int directory, const char *path, int flags, uint64_t mode) {
    // systemd's RestrictSUIDSGID= takes openat2(2) away, whose flags its filter cannot see (systemd.exec(5)).
    static atomic_bool is_missing;
    if (atomic_load(&is_missing)) return linux_walk_beneath(directory, path, flags, mode);
    // RESOLVE_NO_SYMLINKS covers the last component too. With O_DIRECTORY, O_NOFOLLOW would only turn its ELOOP into
    // ENOTDIR, and a symlink would look like a directory that is gone.
    int no_follow = flags & O_DIRECTORY ? 0 : O_NOFOLLOW;
    struct open_how how = {
        .flags = (uint64_t)(flags | no_follow | O_NONBLOCK | O_CLOEXEC | O_NOCTTY),
        .mode = mode,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_XDEV,
    };
    int descriptor = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
    if (descriptor >= 0 || errno != ENOSYS) return descriptor;
    atomic_store(&is_missing, true);
    return linux_walk_beneath(directory, path, flags, mode);
}
