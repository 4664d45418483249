// What of libmicrohttpd is variadic or a macro, as plain functions under our prefix: Swift can call only those.
#pragma once
#include <microhttpd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// A file in memory, closed in programs that are started from here; -1 where there is no room.
/// (`memfd_create` itself is hidden behind _GNU_SOURCE.)
static inline int breadly_memory_file(void) { return (int)syscall(SYS_memfd_create, "breadly", 1U); }

/// Accepts a connection that never blocks and is closed in programs that are started from here; -1 where there is none.
/// (`accept4` itself is hidden behind _GNU_SOURCE.)
static inline int breadly_accept(int listener, struct sockaddr *address, socklen_t *size) {
    return (int)syscall(SYS_accept4, listener, address, size, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/// Starts a daemon that listens on nothing, with the options of an array that ends with MHD_OPTION_END.
static inline struct MHD_Daemon *breadly_mhd_start(
    unsigned int flags, MHD_AccessHandlerCallback handler, void *handler_context, struct MHD_OptionItem *options) {
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handler, handler_context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

/// The address at the other end.
static inline const struct sockaddr *breadly_mhd_peer(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : 0;
}

/// The connection's socket; -1 where there is none.
static inline int breadly_mhd_socket(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/// How many bytes request line and header lines took, with the empty line at their end; 0 before all of them are there.
static inline size_t breadly_mhd_header_size(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// What `MHD_OPTION_NOTIFY_CONNECTION` has put beside the connection.
static inline void *breadly_mhd_socket_context(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : 0;
}
