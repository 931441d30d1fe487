#define _GNU_SOURCE
#include "CBackground.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static const char nowhere[] = "/dev/null";

static int status_of(pid_t process) {
  int status;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void use_no_signals(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

int linux_background_begin(void) {
  int ends[2];
  char byte;
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  pid_t process = fork();
  if (process < 0) {
    int failure = errno;
    close(ends[0]);
    close(ends[1]);
    errno = failure;
    return -1;
  }
  if (process > 0) {
    close(ends[1]);
    ssize_t count;
    while ((count = read(ends[0], &byte, 1)) < 0 && errno == EINTR) continue;
    _exit(count == 1 ? 0 : status_of(process));
  }
  use_no_signals();
  int devices = open(nowhere, O_RDWR | O_CLOEXEC);
  if (setsid() < 0 || chdir("/") != 0 || devices < 0 || dup2(devices, 0) != 0 || dup2(devices, 1) != 1 ||
      dup3(ends[1], 3, O_CLOEXEC) != 3 || close_range(4, ~0U, 0) != 0) {
    _exit(71); /* EX_OSERR of sysexits.h */
  }
  return 3;
}

int linux_background_ready(int descriptor) {
  int devices = open(nowhere, O_WRONLY | O_CLOEXEC);
  if (devices < 0) return -1;
  int done = dup2(devices, 2) == 2 && write(descriptor, "", 1) == 1;
  int failure = errno;
  close(devices);
  close(descriptor);
  errno = failure;
  return done ? 0 : -1;
}

int linux_run(const char *path, char *const *arguments, char *const *environment) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t all, none;
  sigfillset(&all);
  sigemptyset(&none);
  pid_t process;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure == 0) failure = posix_spawnattr_init(&attributes);
  if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, 0, nowhere, O_RDONLY, 0);
  if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, 1, nowhere, O_WRONLY, 0);
  if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
  if (failure == 0) failure = posix_spawnattr_setsigdefault(&attributes, &all);
  if (failure == 0) failure = posix_spawnattr_setsigmask(&attributes, &none);
  if (failure == 0) {
    failure = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  /* A parent that ignores the end of children would never learn how they ended. */
  struct sigaction children;
  if (sigaction(SIGCHLD, NULL, &children) == 0 && children.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
  if (failure == 0) failure = posix_spawn(&process, path, &actions, &attributes, arguments, environment);
  if (failure == 0) return status_of(process);
  errno = failure;
  return -1;
}
