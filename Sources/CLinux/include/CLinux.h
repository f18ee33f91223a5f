#pragma once
// Linux calls that Swift's Glibc module leaves out, because it is imported without _GNU_SOURCE,
// and calls that are variadic or macros. Each function returns what the call returns (-1 and errno
// on failure); errno is the caller's to read. The man page each stands for is named above it.

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "descriptors.h"
#include "lock_in.h"
#include "readiness.h"

// statx(2). Times are nanoseconds since the epoch.
struct linux_status {
    uint64_t device;
    uint64_t inode;
    int64_t byte_count;
    int64_t modified;
    int64_t changed;
    int64_t born;
    bool has_born;
    uint32_t link_count;
    uint32_t owner;
    uint32_t group;
    uint32_t mode;
    // STATX_ATTR_IMMUTABLE and STATX_ATTR_APPEND; false where the file system has no such attributes.
    bool is_immutable;
    bool is_append_only;
};
int linux_status_of(int descriptor, struct linux_status *status);
// The name itself, never what a symlink points to.
int linux_status_at(int directory, const char *name, struct linux_status *status);

// openat2(2) with RESOLVE_BENEATH, NO_SYMLINKS, NO_MAGICLINKS and NO_XDEV. O_NOFOLLOW, O_NONBLOCK, O_CLOEXEC and
// O_NOCTTY are added to `flags`. A symlink anywhere is ELOOP.
int linux_open_beneath(int directory, const char *path, int flags, uint64_t mode);
// The same without openat2(2), component by component: what linux_open_beneath does where the kernel or a filter has
// none. It refuses every `..`, not only those that lead out.
int linux_walk_beneath(int directory, const char *path, int flags, uint64_t mode);
// open(2) with O_DIRECTORY, O_CLOEXEC and O_NOCTTY.
int linux_open_directory(const char *path);
// readdir(3): where the name of an entry begins; it may be longer than the declared array.
const char *linux_entry_name(const struct dirent *entry);

// renameat2(2), RENAME_NOREPLACE.
int linux_rename(int from, const char *name, int to, const char *new_name);
// ioctl_ficlone(2).
int linux_clone(int source, int target);
// syncfs(2).
int linux_sync_file_system(int descriptor);
// sync_file_range(2), SYNC_FILE_RANGE_WRITE.
int linux_start_write_back(int descriptor, int64_t offset, int64_t count);
// name_to_handle_at(2), AT_EMPTY_PATH: the handle's type and bytes into `buffer`; the length of both.
int linux_handle(int descriptor, uint8_t *buffer, size_t capacity);

// statfs(2): magic number, room in units, and f_fsid as one number.
struct linux_file_system {
    uint32_t type;
    uint64_t unit;
    uint64_t free_units;
    uint64_t total_units;
    uint64_t identifier;
    bool is_read_only;
};
int linux_file_system(int descriptor, struct linux_file_system *facts);

// fcntl(2), F_SETLEASE and F_GETLEASE: variadic.
int linux_take_read_lease(int descriptor);
int linux_take_write_lease(int descriptor);
int linux_drop_lease(int descriptor);
bool linux_holds_read_lease(int descriptor);
// flock(2), LOCK_EX | LOCK_NB: the function's name is hidden by the structure's.
int linux_try_lock(int descriptor);

// accept4(2), SOCK_CLOEXEC | SOCK_NONBLOCK, from a Unix socket, whose peer's address says nothing.
int linux_accept(int listener);
// unix(7), SO_PEERCRED.
int linux_peer(int socket, int32_t *process, uint32_t *user, uint32_t *group);
// socket(7), SO_PEERGROUPS: how many supplementary groups were written. ERANGE where `capacity` is too small.
int linux_peer_groups(int socket, uint32_t *groups, size_t capacity);

// eventfd(2), EFD_CLOEXEC | EFD_NONBLOCK.
int linux_eventfd(void);
// malloc_trim(3) and mallopt(3), whose header Swift does not see.
void linux_give_back_memory(void);
void linux_limit_memory_arenas(int count);
// What is larger is mapped by itself, and so much free memory is kept at an arena's end (mallopt(3)).
void linux_map_large_blocks(int threshold, int kept);
// PR_SET_NAME(2const): at most 15 bytes are kept.
void linux_name_this_thread(const char *name);
// sched_setattr(2), which has no wrapper: how long this thread runs at a time; an older kernel than 6.12 ignores it.
int linux_set_turn(uint64_t nanoseconds);
// makedev(3).
uint32_t linux_major(uint64_t device);
uint32_t linux_minor(uint64_t device);
