#define _GNU_SOURCE
#include "readiness.h"
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>

int linux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int epoll, int verb, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data = {.u64 = token}};
    return epoll_ctl(epoll, verb, descriptor, &event);
}

int linux_epoll_add_input(int epoll, int descriptor, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, EPOLLIN, token);
}

// EPOLLHUP and EPOLLERR are reported without being asked for (epoll_ctl(2)).
int linux_epoll_add_arrivals(int epoll, int descriptor, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, EPOLLIN | EPOLLET, token);
}

int linux_epoll_keep_hang_up(int epoll, int descriptor, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, EPOLLET, token);
}

int linux_epoll_remove(int epoll, int descriptor) { return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, NULL); }

int linux_epoll_wait(int epoll, struct linux_ready *ready, int capacity, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(epoll, events, capacity < 64 ? capacity : 64, milliseconds);
    for (int index = 0; index < count; index++) {
        ready[index] = (struct linux_ready){
            .token = events[index].data.u64,
            .is_readable = (events[index].events & EPOLLIN) != 0,
            .is_hung_up = (events[index].events & (EPOLLHUP | EPOLLERR)) != 0,
        };
    }
    return count;
}

static int option(int socket, int name) {
    int value = 0;
    socklen_t size = sizeof value;
    return getsockopt(socket, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

bool linux_is_unix_listener(int socket) {
    return option(socket, SO_DOMAIN) == AF_UNIX && option(socket, SO_TYPE) == SOCK_STREAM
        && option(socket, SO_ACCEPTCONN) == 1;
}
