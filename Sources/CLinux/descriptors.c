#define _GNU_SOURCE
#include "descriptors.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int linux_socket_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends); }

union control {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

static ssize_t send_some(int socket, const uint8_t *bytes, size_t count, int descriptor) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control = {0};
    if (descriptor >= 0) {
        message.msg_control = control.room;
        message.msg_controllen = sizeof control.room;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof descriptor);
        memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
    }
    ssize_t result;
    do result = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (result < 0 && errno == EINTR);
    return result;
}

int linux_send(int socket, const uint8_t *bytes, size_t count, int descriptor) {
    size_t sent = 0;
    while (sent < count) {
        ssize_t result = send_some(socket, bytes + sent, count - sent, sent == 0 ? descriptor : -1);
        if (result < 0) return -1;
        sent += (size_t)result;
    }
    return 0;
}

ssize_t linux_receive(int socket, uint8_t *bytes, size_t capacity, int *descriptor) {
    struct iovec part = {.iov_base = bytes, .iov_len = capacity};
    union control control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    *descriptor = -1;
    ssize_t result;
    do result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (result < 0 && errno == EINTR);
    if (result < 0) return result;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS &&
        header->cmsg_len == CMSG_LEN(sizeof *descriptor)) {
        memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
    }
    return result;
}

int linux_close_from(posix_spawn_file_actions_t *actions, int first) {
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
