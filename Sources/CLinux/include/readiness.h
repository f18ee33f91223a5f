#pragma once
// Waiting on many descriptors at once (epoll(7)). Each returns what the call returns.
#include <stdbool.h>
#include <stdint.h>

struct linux_ready {
    uint64_t token;
    bool is_readable;
    bool is_hung_up;
};

// epoll_create1(2), EPOLL_CLOEXEC.
int linux_epoll_create(void);
// Watches for input, level-triggered, and for the end of the connection.
int linux_epoll_add_input(int epoll, int descriptor, uint64_t token);
// Watches for new input, told once for each piece (edge-triggered), and for the end of the connection.
int linux_epoll_add_arrivals(int epoll, int descriptor, uint64_t token);
// From now on watches only for both directions being closed, told once.
int linux_epoll_keep_hang_up(int epoll, int descriptor, uint64_t token);
int linux_epoll_remove(int epoll, int descriptor);
// Fills `ready`, at most 64 of them; how many, or -1. A negative time-out waits for ever.
int linux_epoll_wait(int epoll, struct linux_ready *ready, int capacity, int milliseconds);

// socket(7): SO_DOMAIN, SO_TYPE and SO_ACCEPTCONN say a Unix stream socket that listens.
bool linux_is_unix_listener(int socket);
