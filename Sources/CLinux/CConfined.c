#define _GNU_SOURCE
#include "CConfined.h"
#include "CSandbox.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int linux_executable_of(int process, struct linux_file *file, char *path) {
  char link[32];
  struct stat information;
  snprintf(link, sizeof link, "/proc/%d/exe", process);
  if (stat(link, &information) != 0) return -1;
  ssize_t length = readlink(link, path, LINUX_PATH_SIZE - 1);
  if (length < 0) return -1;
  path[length] = 0;
  *file = (struct linux_file){information.st_dev, information.st_ino, information.st_nlink};
  return 0;
}

/* The socket keeps messages apart. A question is a process id, which the answer repeats: one that came too late is not
   taken for that of the next question. */
struct answer {
  int process, failure;
  struct linux_file file;
  char path[LINUX_PATH_SIZE];
};

__attribute__((noreturn)) static void inspect(int socket) {
  struct answer answer;
  if (dup2(socket, 0) != 0 || close_range(1, ~0U, 0) != 0) _exit(1);
  prctl(PR_SET_NAME, "quickvault-peer", 0, 0, 0);
  if (linux_restrict_to_inspecting() != 0) _exit(1);
  do {
    memset(&answer, 0, sizeof answer);
    if (read(0, &answer.process, sizeof answer.process) != sizeof answer.process) break;
    if (linux_executable_of(answer.process, &answer.file, answer.path) != 0) answer.failure = errno;
  } while (write(0, &answer, sizeof answer) == sizeof answer);
  _exit(0);
}

int linux_inspector_start(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return -1;
  /* A child of a child has init for a parent: it ends with its socket, and nobody needs to wait for it. */
  pid_t process = fork();
  if (process == 0) {
    pid_t inspector = fork();
    if (inspector != 0) _exit(inspector > 0 ? 0 : errno);
    signal(SIGPIPE, SIG_IGN);
    inspect(ends[1]);
  }
  int failure = errno, status = 0;
  close(ends[1]);
  if (process > 0) {
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    failure = WEXITSTATUS(status);
    if (failure == 0) return ends[0];
  }
  close(ends[0]);
  errno = failure;
  return -1;
}

int linux_inspect(int inspector, int process, struct linux_file *file, char *path) {
  struct pollfd query = {.fd = inspector, .events = POLLIN};
  struct answer answer;
  if (send(inspector, &process, sizeof process, MSG_DONTWAIT | MSG_NOSIGNAL) != sizeof process) return -1;
  do {
    if (poll(&query, 1, 1000) != 1) {
      errno = ETIMEDOUT;
      return -1;
    }
    if (recv(inspector, &answer, sizeof answer, MSG_DONTWAIT) != sizeof answer) {
      errno = EPIPE;
      return -1;
    }
  } while (answer.process != process);
  if (answer.failure != 0) {
    errno = answer.failure;
    return -1;
  }
  *file = answer.file;
  memcpy(path, answer.path, sizeof answer.path);
  return 0;
}
