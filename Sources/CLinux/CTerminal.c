/* A program on a pseudo-terminal, and the signals of the process that shows what it prints. */
#define _GNU_SOURCE
#include "CTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* As sigaction(2) numbers it for signals that no process has sent. */
enum { from_kernel = 0x80 };

static const int of_keyboard[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU};

int linux_ignores(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

static void report(int reports, int value) {
  if (write(reports, &value, sizeof value) < 0) return;
}

static void use_mask(void (*fill)(sigset_t *)) {
  sigset_t signals;
  fill(&signals);
  sigprocmask(SIG_SETMASK, &signals, NULL);
}

static void none(sigset_t *signals) { sigemptyset(signals); }
static void all(sigset_t *signals) { sigfillset(signals); }

static void use_signals_of_program(void) {
  struct sigaction usual = {.sa_handler = SIG_DFL};
  for (int number = 1; number < NSIG; number++) {
    if (number == SIGPIPE || number == SIGXFSZ || !linux_ignores(number)) sigaction(number, &usual, NULL);
  }
  use_mask(none);
}

int linux_become(const char *path, char *const *arguments, char *const *environment, unsigned mask) {
  umask((mode_t)mask);
  use_signals_of_program();
  return execve(path, arguments, environment);
}

/* All signals are blocked, so that SIGTTOU does not stop the change of the foreground. */
static void take_terminal(int terminal, int errors) {
  setpgid(0, 0);
  tcsetpgrp(terminal, getpid());
  dup2(terminal, 0);
  dup2(terminal, 1);
  dup2(errors < 0 ? terminal : errors, 2);
  if (terminal > 2) close(terminal);
}

__attribute__((noreturn)) static void watch(pid_t program, int reports) {
  for (size_t index = 0; index < sizeof of_keyboard / sizeof *of_keyboard; index++) signal(of_keyboard[index], SIG_IGN);
  use_mask(none);
  /* Nothing but the program keeps the terminal open, so that its output has an end. */
  dup2(reports, 0);
  close_range(1, ~0U, 0);
  report(0, program);
  for (;;) {
    int status;
    if (waitpid(program, &status, WUNTRACED) < 0) {
      if (errno == EINTR) continue;
      _exit(1);
    }
    report(0, status);
    if (!WIFSTOPPED(status)) _exit(0);
  }
}

static int open_terminal(int model, int *inner) {
  int outer = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
  if (outer < 0) return -1;
  struct termios modes;
  struct winsize size;
  if (unlockpt(outer) != 0 || (*inner = ioctl(outer, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0) {
    int failure = errno;
    close(outer);
    errno = failure;
    return -1;
  }
  if (tcgetattr(model, &modes) == 0) tcsetattr(*inner, TCSANOW, &modes);
  if (ioctl(model, TIOCGWINSZ, &size) == 0) ioctl(outer, TIOCSWINSZ, &size);
  return outer;
}

int linux_run_on_terminal(
    const char *path, char *const *arguments, char *const *environment, int model, int errors, unsigned mask,
    int *terminal) {
  int reports[2], inner;
  int outer = open_terminal(model, &inner);
  if (outer < 0) return -1;
  if (pipe2(reports, O_CLOEXEC) != 0) reports[0] = -1;
  pid_t watcher = reports[0] < 0 ? -1 : fork();
  if (watcher == 0) {
    use_mask(all);
    pid_t program = setsid() < 0 || ioctl(inner, TIOCSCTTY, 0) != 0 ? -1 : fork();
    if (program == 0) {
      take_terminal(inner, errors);
      linux_become(path, arguments, environment, mask);
    }
    if (program <= 0) {
      report(reports[1], -errno);
      _exit(126);
    }
    watch(program, reports[1]);
  }
  int failure = errno;
  close(inner);
  if (reports[0] >= 0) close(reports[1]);
  if (watcher < 0) {
    close(outer);
    if (reports[0] >= 0) close(reports[0]);
    errno = failure;
    return -1;
  }
  *terminal = outer;
  return reports[0];
}

int linux_forwarding_descriptor(void) {
  static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCONT, SIGWINCH};
  sigset_t signals;
  sigemptyset(&signals);
  for (size_t index = 0; index < sizeof forwarded / sizeof *forwarded; index++) {
    if (!linux_ignores(forwarded[index])) sigaddset(&signals, forwarded[index]);
  }
  if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0) return -1;
  return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int linux_next_forwarded_signal(int descriptor) {
  struct signalfd_siginfo information;
  if (read(descriptor, &information, sizeof information) != (ssize_t)sizeof information) return 0;
  int number = (int)information.ssi_signo;
  return information.ssi_code == from_kernel ? -number : number;
}
