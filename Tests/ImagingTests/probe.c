/* Confines itself with the worker's own source file, then tries one thing that a picture has no business
   with. Exit status 0: it could be done; 1: the system refused it; the signal SIGSYS: the process was ended
   for it. */
#define _GNU_SOURCE
#include "CImaging.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void *nothing(void *argument) { return argument; }

static int attempt(const char *what) {
  char *const arguments[] = {"/bin/true", NULL};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(9)};
  struct rlimit limit = {16, 16};
  struct stat information;
  char link[16];
  pthread_t thread;
  if (strcmp(what, "nothing") == 0) return 0;
  if (strcmp(what, "thread") == 0)
    return pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL);
  if (strcmp(what, "allocate") == 0) return malloc(200 << 20) == NULL;
  if (strcmp(what, "read-secret") == 0) return open("/etc/passwd", O_RDONLY) < 0;
  if (strcmp(what, "read-home") == 0) return open("/root", O_RDONLY | O_DIRECTORY) < 0;
  if (strcmp(what, "read-process") == 0) return open("/proc/self/mem", O_RDONLY) < 0;
  if (strcmp(what, "read-font") == 0) return open("/usr/share/fonts", O_RDONLY | O_DIRECTORY) < 0;
  if (strcmp(what, "stat") == 0) return stat("/etc/passwd", &information) != 0;
  if (strcmp(what, "stat-flag") == 0) {
    return fstatat(AT_FDCWD, "/etc/passwd", &information, AT_EMPTY_PATH) != 0;
  }
  if (strcmp(what, "readlink") == 0) return readlink("/proc/self/exe", link, sizeof link) < 0;
  if (strcmp(what, "write") == 0) return open("/tmp/quickvault-probe", O_WRONLY | O_CREAT, 0600) < 0;
  if (strcmp(what, "write-font") == 0)
    return open("/usr/share/fonts/quickvault-probe", O_RDWR | O_CREAT, 0600) < 0;
  if (strcmp(what, "unlink") == 0) return unlink("/tmp/quickvault-probe-file") != 0;
  if (strcmp(what, "execute") == 0) return execv("/bin/true", arguments);
  if (strcmp(what, "fork") == 0) return fork() < 0;
  if (strcmp(what, "socket") == 0) return socket(AF_UNIX, SOCK_STREAM, 0) < 0;
  if (strcmp(what, "connect") == 0) return connect(0, (struct sockaddr *)&address, sizeof address) != 0;
  if (strcmp(what, "trace") == 0) return ptrace(PTRACE_TRACEME, 0, 0, 0) < 0;
  if (strcmp(what, "kill-parent") == 0) return kill(getppid(), SIGTERM) != 0;
  if (strcmp(what, "code") == 0) {
    return mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
           MAP_FAILED;
  }
  if (strcmp(what, "dumpable") == 0) return prctl(PR_SET_DUMPABLE, 1) != 0;
  if (strcmp(what, "limit") == 0) return setrlimit(RLIMIT_NOFILE, &limit) != 0;
  return 2;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  int format = strcmp(arguments[1], "pdf") == 0 ? IMAGING_PDF : IMAGING_JPEG;
  if (strcmp(arguments[1], "free") != 0 && imaging_confine(format) != IMAGING_CONFINED) return 3;
  _exit(attempt(arguments[2]) ? 1 : 0);
}
