#pragma once
// Descriptors from one process to another (unix(7), SCM_RIGHTS). Each returns what the call returns.
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// socketpair(2), AF_UNIX, SOCK_STREAM, SOCK_CLOEXEC.
int linux_socket_pair(int ends[2]);
// sendmsg(2), MSG_NOSIGNAL: all of `bytes` or -1, with `descriptor` beside the first of them unless it is -1.
int linux_send(int socket, const uint8_t *bytes, size_t count, int descriptor);
// recvmsg(2), MSG_CMSG_CLOEXEC: at most `capacity` bytes, and in `descriptor` the one that came with them, or -1.
ssize_t linux_receive(int socket, uint8_t *bytes, size_t capacity, int *descriptor);
// posix_spawn_file_actions_addclosefrom_np(3).
int linux_close_from(posix_spawn_file_actions_t *actions, int first);
