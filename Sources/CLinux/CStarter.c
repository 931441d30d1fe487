/* A process that starts a program which may do what the vault's process gave up. */
#define _GNU_SOURCE
#include "CStarter.h"

#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* The words that this process was started with, where the system reads its command line. */
static char *words;
static size_t words_size;

__attribute__((constructor)) static void find_words(int count, char **arguments) {
  if (count <= 0) return;
  words = arguments[0];
  words_size = (size_t)(arguments[count - 1] - words) + strlen(arguments[count - 1]) + 1;
}

/* Shows this process under a name of its own, instead of as one that serves a vault. */
static void show_as(const char *name) {
  prctl(PR_SET_NAME, name, 0, 0, 0);
  if (words_size > 0) memset(words, 0, words_size);
  if (words_size > strlen(name)) memcpy(words, name, strlen(name));
}

/* A byte or the variables, with one descriptor. */
union control {
  struct cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int))];
};

/* The variables that were received, with a zero byte behind the last. */
static char variables[linux_starter_limit + 1];

static int receive_descriptor(int socket) {
  union control control;
  struct iovec part = {variables, linux_starter_limit};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  ssize_t count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  if (count < 1) return -1;
  memset(variables + count, 0, sizeof variables - (size_t)count);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (header == NULL || header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) return -1;
  int descriptor;
  memcpy(&descriptor, CMSG_DATA(header), sizeof descriptor);
  return descriptor;
}

__attribute__((noreturn)) static void become(int descriptor, char *const *arguments) {
  signal(SIGCHLD, SIG_DFL);
  for (char *variable = variables; *variable != 0; variable += strlen(variable) + 1) putenv(variable);
  if (dup2(descriptor, 0) == 0 && dup2(descriptor, 1) == 1 && close_range(3, ~0U, 0) == 0) execv(arguments[0], arguments);
  _exit(127);
}

__attribute__((noreturn)) static void serve(int socket, char *const *arguments) {
  /* The program gets the null device for its errors, where a library may quote what it reads. */
  int null = open("/dev/null", O_RDWR);
  if (null < 0 || dup2(socket, 3) != 3) _exit(1);
  for (int number = 0; number < 3; number++) {
    if (dup2(null, number) != number) _exit(1);
  }
  if (close_range(4, ~0U, 0) != 0 || fcntl(3, F_SETFD, FD_CLOEXEC) != 0) _exit(1);
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  signal(SIGCHLD, SIG_IGN);
  show_as("quickvault-net");
  /* What ends the programs of a terminal leaves it alone: it ends with its socket. */
  setsid();
  if (chdir("/") != 0) _exit(1);
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  linux_restrict_calls_but_sockets();
  int descriptor;
  while ((descriptor = receive_descriptor(3)) >= 0) {
    if (fork() == 0) become(descriptor, arguments);
    close(descriptor);
  }
  _exit(0);
}

/* A child of a child has init for a parent, and nobody needs to wait for it. The child in between shares the memory, which
   is quicker than a copy; the caller stands still until it ends, and need not be scheduled again. */
int linux_starter_begin(char *const *arguments) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  volatile int failure = 0;
  pid_t process = vfork();
  if (process == 0) {
    pid_t starter = fork();
    if (starter == 0) serve(ends[1], arguments);
    if (starter < 0) failure = errno;
    _exit(0);
  }
  if (process < 0) failure = errno;
  close(ends[1]);
  while (process > 0 && waitpid(process, NULL, 0) < 0 && errno == EINTR) continue;
  if (failure == 0) return ends[0];
  close(ends[0]);
  errno = failure;
  return -1;
}

int linux_starter_run(int starter, const uint8_t *given, size_t count) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  uint8_t none = 0;
  union control control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
  memcpy(CMSG_DATA(&control.header), &ends[1], sizeof(int));
  struct iovec part = {count > 0 ? (void *)given : &none, count > 0 ? count : 1};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
  int failed = count > linux_starter_limit || sendmsg(starter, &message, MSG_DONTWAIT | MSG_NOSIGNAL) < 1 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0;
  int failure = errno;
  close(ends[1]);
  if (!failed) return ends[0];
  close(ends[0]);
  errno = failure;
  return -1;
}
