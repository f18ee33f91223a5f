#pragma once
#include <microhttpd.h>
#include <sys/socket.h>

// MHD_start_daemon is variadic, and Swift cannot call a variadic function.
// All callbacks get the same context. The accepting is the caller's (MHD_USE_NO_LISTEN_SOCKET).
//
// poll(2) and not epoll(7): with epoll, edge-triggered, 0.9.75 forgets a socket after a short read, and so misses the
// end of the input where it came together with the last bytes, until the connection's time is up.
static inline struct MHD_Daemon *shim_MHD_start(
    MHD_AccessHandlerCallback access,
    void *(*began)(void *, const char *, struct MHD_Connection *),
    MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback changed,
    size_t (*unescape)(void *, struct MHD_Connection *, char *),
    void *context, unsigned int connections, unsigned int idle_seconds, size_t memory) {
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | MHD_ALLOW_SUSPEND_RESUME,
        0, NULL, NULL, access, context,
        MHD_OPTION_URI_LOG_CALLBACK, began, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, changed, context,
        MHD_OPTION_UNESCAPE_CALLBACK, unescape, context,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
        MHD_OPTION_END);
}

// MHD_get_connection_info is variadic too.
static inline int shim_MHD_descriptor(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

static inline void *shim_MHD_socket_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

// The address of a Unix peer is empty; the library wants one all the same. The socket is closed in any case.
static inline enum MHD_Result shim_MHD_add(struct MHD_Daemon *daemon, int descriptor) {
    struct sockaddr address = {.sa_family = AF_UNIX};
    return MHD_add_connection(daemon, descriptor, &address, sizeof(address));
}
