#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int64_t nanoseconds(struct statx_timestamp time) {
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int read_status(int directory, const char *path, int flags, struct linux_status *status) {
    struct statx facts;
    int result = statx(directory, path, flags | AT_NO_AUTOMOUNT, STATX_BASIC_STATS | STATX_BTIME, &facts);
    if (result != 0) return result;
    *status = (struct linux_status){
        .device = makedev(facts.stx_dev_major, facts.stx_dev_minor),
        .inode = facts.stx_ino,
        .byte_count = (int64_t)facts.stx_size,
        .modified = nanoseconds(facts.stx_mtime),
        .changed = nanoseconds(facts.stx_ctime),
        .born = nanoseconds(facts.stx_btime),
        .has_born = (facts.stx_mask & STATX_BTIME) != 0,
        .link_count = facts.stx_nlink,
        .owner = facts.stx_uid,
        .group = facts.stx_gid,
        .mode = facts.stx_mode,
        .is_immutable = (facts.stx_attributes & STATX_ATTR_IMMUTABLE) != 0,
        .is_append_only = (facts.stx_attributes & STATX_ATTR_APPEND) != 0,
    };
    return 0;
}

int linux_status_of(int descriptor, struct linux_status *status) {
    return read_status(descriptor, "", AT_EMPTY_PATH, status);
}

int linux_status_at(int directory, const char *name, struct linux_status *status) {
    return read_status(directory, name, AT_SYMLINK_NOFOLLOW, status);
}

int linux_open_directory(const char *path) { return open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY); }

const char *linux_entry_name(const struct dirent *entry) { return entry->d_name; }

int linux_rename(int from, const char *name, int to, const char *new_name) {
    return renameat2(from, name, to, new_name, RENAME_NOREPLACE);
}

int linux_clone(int source, int target) { return ioctl(target, FICLONE, source); }

int linux_sync_file_system(int descriptor) { return syncfs(descriptor); }

int linux_start_write_back(int descriptor, int64_t offset, int64_t count) {
    return sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE);
}

int linux_handle(int descriptor, uint8_t *buffer, size_t capacity) {
    union {
        struct file_handle handle;
        uint8_t room[sizeof(struct file_handle) + MAX_HANDLE_SZ];
    } result;
    int mount;
    result.handle.handle_bytes = MAX_HANDLE_SZ;
    if (name_to_handle_at(descriptor, "", &result.handle, &mount, AT_EMPTY_PATH) != 0) return -1;
    size_t length = sizeof result.handle.handle_type + result.handle.handle_bytes;
    if (length > capacity) {
        errno = EOVERFLOW;
        return -1;
    }
    memcpy(buffer, &result.handle.handle_type, sizeof result.handle.handle_type);
    memcpy(buffer + sizeof result.handle.handle_type, result.handle.f_handle, result.handle.handle_bytes);
    return (int)length;
}

int linux_file_system(int descriptor, struct linux_file_system *facts) {
    struct statfs found;
    int result = fstatfs(descriptor, &found);
    if (result != 0) return result;
    *facts = (struct linux_file_system){
        .type = (uint32_t)found.f_type,
        .unit = (uint64_t)(found.f_frsize > 0 ? found.f_frsize : found.f_bsize),
        .free_units = found.f_bavail,
        .total_units = found.f_blocks,
        .identifier = (uint64_t)(uint32_t)found.f_fsid.__val[0] << 32 | (uint32_t)found.f_fsid.__val[1],
        .is_read_only = (found.f_flags & ST_RDONLY) != 0,
    };
    return 0;
}

int linux_take_read_lease(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_RDLCK); }

int linux_take_write_lease(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_WRLCK); }

int linux_drop_lease(int descriptor) { return fcntl(descriptor, F_SETLEASE, F_UNLCK); }

bool linux_holds_read_lease(int descriptor) { return fcntl(descriptor, F_GETLEASE) == F_RDLCK; }

int linux_try_lock(int descriptor) { return flock(descriptor, LOCK_EX | LOCK_NB); }

int linux_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int linux_peer(int socket, int32_t *process, uint32_t *user, uint32_t *group) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    int result = getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length);
    if (result != 0) return result;
    *process = peer.pid;
    *user = peer.uid;
    *group = peer.gid;
    return 0;
}

int linux_peer_groups(int socket, uint32_t *groups, size_t capacity) {
    socklen_t length = (socklen_t)(capacity * sizeof *groups);
    int result = getsockopt(socket, SOL_SOCKET, SO_PEERGROUPS, groups, &length);
    return result == 0 ? (int)(length / sizeof *groups) : result;
}

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void linux_give_back_memory(void) { malloc_trim(0); }

void linux_limit_memory_arenas(int count) { mallopt(M_ARENA_MAX, count); }

void linux_map_large_blocks(int threshold, int kept) {
    mallopt(M_MMAP_THRESHOLD, threshold);
    mallopt(M_TRIM_THRESHOLD, kept);
}

void linux_name_this_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// struct sched_attr in its first form (sched_setattr(2)): the kernel's header and the C library's cannot both be included.
struct turn {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

int linux_set_turn(uint64_t nanoseconds) {
    struct turn attributes = {.size = sizeof attributes};
    int result = syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0);
    if (result != 0 || attributes.policy != 0) return result;
    attributes.runtime = nanoseconds;
    return syscall(SYS_sched_setattr, 0, &attributes, 0);
}

uint32_t linux_major(uint64_t device) { return major(device); }

uint32_t linux_minor(uint64_t device) { return minor(device); }
