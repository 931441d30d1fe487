#define _GNU_SOURCE
#include "CSocket.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

static int make_address(struct sockaddr_un *address, const char *path) {
  size_t length = strlen(path);
  if (length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  *address = (struct sockaddr_un){.sun_family = AF_UNIX};
  memcpy(address->sun_path, path, length);
  return 0;
}

int linux_socket(void) { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

int linux_bind(int socket, const char *path) {
  struct sockaddr_un address;
  if (make_address(&address, path) != 0) return -1;
  return bind(socket, (struct sockaddr *)&address, sizeof address);
}

int linux_connect(int socket, const char *path, int seconds) {
  struct sockaddr_un address;
  struct timeval limit = {.tv_sec = seconds}, none = {0};
  if (make_address(&address, path) != 0) return -1;
  if (setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) return -1;
  if (connect(socket, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &none, sizeof none);
}

int linux_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC); }

static int option(int descriptor, int name) {
  int value = -1;
  socklen_t size = sizeof value;
  return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

int linux_is_listening(int descriptor) {
  return option(descriptor, SO_DOMAIN) == AF_UNIX && option(descriptor, SO_TYPE) == SOCK_STREAM &&
         option(descriptor, SO_ACCEPTCONN) == 1;
}

int linux_peer(int socket, int *process, unsigned int *user) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -1;
  *process = credentials.pid;
  *user = credentials.uid;
  return 0;
}

int linux_peer_descriptor(int socket) { return option(socket, SO_PEERPIDFD); }

int linux_send_buffer_size(int descriptor) { return option(descriptor, SO_SNDBUF); }

int linux_pipe_size(int descriptor) { return fcntl(descriptor, F_GETPIPE_SZ); }

int linux_unread(int descriptor) {
  int count;
  return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}

int linux_set_nonblocking(int descriptor) {
  int flags = fcntl(descriptor, F_GETFL);
  return flags < 0 ? -1 : fcntl(descriptor, F_SETFL, flags | O_NONBLOCK);
}

ptrdiff_t linux_receive(int socket, void *buffer, size_t count, int peeks) {
  return recv(socket, buffer, count, MSG_DONTWAIT | (peeks ? MSG_PEEK : 0));
}

ptrdiff_t linux_send(int socket, const void *buffer, size_t count) {
  return send(socket, buffer, count, MSG_DONTWAIT | MSG_NOSIGNAL);
}
