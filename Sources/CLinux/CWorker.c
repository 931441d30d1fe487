#define _GNU_SOURCE
#include "CWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const int pipe_size = 1 << 20;

static void close_all(const int *descriptors, int count) {
  for (int index = 0; index < count; index++) {
    if (descriptors[index] >= 0) close(descriptors[index]);
  }
}

/* What runs between vfork and execve: in the parent's memory, while the parent stands still. It calls nothing but the
   system, and writes nothing but `failure`. */
static void become(
    const int *ends, pid_t parent, const char *path, char *const *arguments, char *const *environment,
    volatile int *failure) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  if (sigprocmask(SIG_SETMASK, &none, NULL) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) == 0 &&
      getppid() == parent && dup2(ends[0], 0) == 0 && dup2(ends[1], 1) == 1 && dup2(ends[2], 2) == 2 &&
      close_range(3, ~0U, 0) == 0) {
    execve(path, arguments, environment);
  }
  *failure = errno ? errno : ECHILD;
  _exit(127);
}

/* Three pipes: ours in the first three places, the program's in the others. None of them below 3, which dup2 fills. */
static int make_pipes(int *ends) {
  for (int index = 0; index < 3; index++) {
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) != 0) return errno;
    int ours = pair[index == 0 ? 1 : 0], theirs = pair[index == 0 ? 0 : 1];
    fcntl(ours, F_SETPIPE_SZ, pipe_size);
    ends[index] = fcntl(ours, F_DUPFD_CLOEXEC, 3);
    ends[3 + index] = fcntl(theirs, F_DUPFD_CLOEXEC, 3);
    int failure = errno;
    close(ours);
    close(theirs);
    if (ends[index] < 0 || ends[3 + index] < 0) return failure;
    if (fcntl(ends[index], F_SETFL, O_NONBLOCK) != 0) return errno;
  }
  return 0;
}

int linux_worker_start(
    struct linux_worker *worker, const char *path, char *const *arguments, char *const *environment) {
  int ends[6] = {-1, -1, -1, -1, -1, -1};
  volatile int failure = make_pipes(ends);
  if (failure != 0) {
    close_all(ends, 6);
    return failure;
  }
  /* A parent that ignores the end of children would never learn how they ended. */
  struct sigaction children;
  if (sigaction(SIGCHLD, NULL, &children) == 0 && children.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);

  /* A signal that is handled in between would be handled in the parent's memory by the child. */
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pid_t parent = getpid();
  pid_t process = vfork();
  if (process == 0) become(ends + 3, parent, path, arguments, environment, &failure);
  if (process < 0) failure = errno;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  close_all(ends + 3, 3);

  int watch = process > 0 ? (int)syscall(SYS_pidfd_open, process, 0) : -1;
  if (process > 0 && watch < 0 && failure == 0) {
    failure = errno;
    kill(process, SIGKILL);
  }
  if (failure != 0) {
    if (process > 0) waitpid(process, NULL, 0);
    close_all(ends, 3);
    close_all(&watch, 1);
    return failure;
  }
  *worker = (struct linux_worker){process, watch, ends[0], ends[1], ends[2]};
  return 0;
}

int linux_worker_end(int watch) {
  siginfo_t information = {0};
  while (waitid(P_PIDFD, (id_t)watch, &information, WEXITED) != 0) {
    if (errno != EINTR) return -1;
  }
  return information.si_code == CLD_EXITED ? information.si_status : 128 + information.si_status;
}
