#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

int linux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int linux_boot_timer(void) { return timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK); }

int linux_boot_timer_set(int descriptor, int64_t seconds, int64_t nanoseconds) {
  struct itimerspec time = {.it_value = {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  return timerfd_settime(descriptor, 0, &time, NULL);
}

static void *await_release(void *held) {
  pthread_mutex_lock(held);
  pthread_mutex_unlock(held);
  return NULL;
}

int linux_try_threads(int count) {
  pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
  pthread_attr_t attributes;
  pthread_t threads[16];
  int started = 0, failure = 0;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  pthread_mutex_lock(&held);
  while (failure == 0 && started < count && started < 16) {
    failure = pthread_create(&threads[started], &attributes, await_release, &held);
    if (failure == 0) started++;
  }
  pthread_mutex_unlock(&held);
  while (started > 0) pthread_join(threads[--started], NULL);
  pthread_attr_destroy(&attributes);
  return failure;
}

int64_t linux_kill_timer(void) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
  timer_t timer;
  return timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 ? (int64_t)(intptr_t)timer : -1;
}

int linux_kill_timer_set(int64_t timer, int64_t seconds) {
  struct itimerspec time = {.it_value = {.tv_sec = seconds}};
  return timer_settime((timer_t)(intptr_t)timer, 0, &time, NULL);
}

int linux_signal_descriptor(void) {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGHUP);
  if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0 || signal(SIGPIPE, SIG_IGN) == SIG_ERR ||
      signal(SIGXFSZ, SIG_IGN) == SIG_ERR)
    return -1;
  // End or stop the process at once, except while they are blocked.
  sigaddset(&signals, SIGQUIT);
  sigaddset(&signals, SIGTSTP);
  return signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
}

int linux_next_signal(int descriptor) {
  struct signalfd_siginfo information;
  ssize_t count = read(descriptor, &information, sizeof information);
  return count == (ssize_t)sizeof information ? (int)information.ssi_signo : 0;
}

int linux_process_descriptor(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

int linux_memory_file(const char *name) { return memfd_create(name, 0); }

int linux_is_in_memory(const char *path) {
  struct statfs status;
  if (statfs(path, &status) != 0) return 0;
  return (unsigned int)status.f_type == TMPFS_MAGIC || (unsigned int)status.f_type == RAMFS_MAGIC;
}

int linux_forbid_dumping(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

int linux_forbid_core_files(void) {
  struct rlimit none = {0, 0};
  return setrlimit(RLIMIT_CORE, &none);
}

int linux_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit);
}

int linux_lock_memory(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return -1;
  if (limit.rlim_cur != RLIM_INFINITY) {
    errno = EPERM;
    return -1;
  }
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

int linux_contains(const void *haystack, size_t haystack_count, const void *needle, size_t needle_count) {
  return haystack && memmem(haystack, haystack_count, needle, needle_count) != NULL;
}

int linux_open_nameless(const char *directory) { return open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600); }

int linux_open_directory_beneath(int directory, const char *path) {
  struct open_how how = {
      .flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int linux_name(int descriptor, const char *path) {
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  return linkat(AT_FDCWD, link, AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int linux_rename_to_new(const char *from, const char *to) {
  if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno == EEXIST || errno == ENOENT) return -1;
  if (link(from, to) == 0) return unlink(from);
  if (errno == EEXIST || errno == ENOENT) return -1;
  int taken = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (taken < 0) return -1;
  close(taken);
  if (rename(from, to) == 0) return 0;
  int reason = errno;
  unlink(to);
  errno = reason;
  return -1;
}

int64_t linux_memory_lock_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_MEMLOCK, &limit) != 0) return 0;
  return limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > INT64_MAX ? -1 : (int64_t)limit.rlim_cur;
}

void linux_return_freed_memory(void) {
  mallopt(M_MMAP_THRESHOLD, 256 << 10);
  mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

__attribute__((noinline)) void linux_overwrite_stack(void) {
  char left[64 << 10];
  explicit_bzero(left, sizeof left);
}

int linux_is_socket(int descriptor) {
  struct stat information;
  return fstat(descriptor, &information) == 0 && S_ISSOCK(information.st_mode);
}
