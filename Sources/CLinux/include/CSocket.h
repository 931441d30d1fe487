#ifndef QUICKVAULT_CSOCKET_H
#define QUICKVAULT_CSOCKET_H

#include <stddef.h>

/// Calls on AF_UNIX stream sockets. Each returns what the call of its name returns, and leaves errno as that does.
/// Descriptors close on exec.

/// socket(2), blocking.
int linux_socket(void);
/// bind(2). Fails with ENAMETOOLONG if the path has 108 bytes or more.
int linux_bind(int socket, const char *_Nonnull path);
/// connect(2). Fails with ENAMETOOLONG if the path has 108 bytes or more, and with EAGAIN if the other end, which has a full
/// queue, does not accept within some seconds.
int linux_connect(int socket, const char *_Nonnull path, int seconds);
/// accept4(2), with a blocking result.
int linux_accept(int socket);
/// Whether the descriptor is a listening AF_UNIX stream socket: 1 or 0.
int linux_is_listening(int descriptor);
/// getsockopt(2) with SO_PEERCRED: who called connect(2). The process is 0 if it is in another pid namespace.
int linux_peer(int socket, int *_Nonnull process, unsigned int *_Nonnull user);
/// getsockopt(2) with SO_PEERPIDFD (Linux 6.5): a pidfd of who called connect(2).
int linux_peer_descriptor(int socket);
/// getsockopt(2) with SO_SNDBUF.
int linux_send_buffer_size(int descriptor);
/// fcntl(2) with F_GETPIPE_SZ: how many bytes a pipe takes, or -1 for anything else.
int linux_pipe_size(int descriptor);
/// ioctl(2) with FIONREAD: how many bytes of a pipe are not read, at either end.
int linux_unread(int descriptor);
/// Sets O_NONBLOCK: for a socket that no other process shares.
int linux_set_nonblocking(int descriptor);
/// recv(2) with MSG_DONTWAIT; with `peeks`, the bytes stay in the socket.
ptrdiff_t linux_receive(int socket, void *_Nonnull buffer, size_t count, int peeks);
/// send(2) with MSG_DONTWAIT and MSG_NOSIGNAL.
ptrdiff_t linux_send(int socket, const void *_Nonnull buffer, size_t count);

#endif
