#define _GNU_SOURCE
#include "CConfined.h"

#include <errno.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define IF_EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define ALLOW(call) IF_EQUAL(call, 0, 1), RETURN(SECCOMP_RET_ALLOW)
#define BEGIN LOAD(arch), IF_EQUAL(ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr)
#define END RETURN(SECCOMP_RET_ERRNO | EPERM)

static const struct sock_filter copying[] = {
    BEGIN,
    ALLOW(SYS_read),
    ALLOW(SYS_write),
    ALLOW(SYS_recvfrom),
    ALLOW(SYS_sendto),
    ALLOW(SYS_futex),
    ALLOW(SYS_shutdown),
    ALLOW(SYS_pread64),
    ALLOW(SYS_close),
#ifdef SYS_poll
    ALLOW(SYS_poll),
#endif
    ALLOW(SYS_ppoll),
    ALLOW(SYS_restart_syscall),
    ALLOW(SYS_exit),
    ALLOW(SYS_exit_group),
    ALLOW(SYS_brk),
    ALLOW(SYS_mmap),
    ALLOW(SYS_munmap),
    ALLOW(SYS_mremap),
    ALLOW(SYS_mprotect),
    ALLOW(SYS_madvise),
    ALLOW(SYS_getrandom),
    ALLOW(SYS_clock_gettime),
    ALLOW(SYS_getpid),
    ALLOW(SYS_gettid),
    ALLOW(SYS_rt_sigprocmask),
    ALLOW(SYS_rt_sigreturn),
    /* Other requests of ioctl could type into a terminal. */
    IF_EQUAL(SYS_ioctl, 0, 4),
    LOAD(args[1]),
    IF_EQUAL(FIONREAD, 0, 1),
    RETURN(SECCOMP_RET_ALLOW),
    RETURN(SECCOMP_RET_ERRNO | EPERM),
    /* What a thread does that begins just now. */
    ALLOW(SYS_rseq),
    ALLOW(SYS_set_robust_list),
    END,
};

static const struct sock_filter inspecting[] = {
    BEGIN,
    ALLOW(SYS_read),
    ALLOW(SYS_write),
#ifdef SYS_readlink
    ALLOW(SYS_readlink),
    ALLOW(SYS_stat),
#endif
    ALLOW(SYS_readlinkat),
    ALLOW(SYS_newfstatat),
    ALLOW(SYS_restart_syscall),
    ALLOW(SYS_exit_group),
    END,
};

static int load(const struct sock_filter *filter, size_t size) {
  struct sock_fprog program = {size / sizeof *filter, (struct sock_filter *)filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  /* Before Linux 5.16 a filter slows the whole process down unless it allows speculation. */
  long loaded = syscall(
      SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
  if (loaded > 0) errno = EBUSY; /* a thread with a filter of its own */
  return loaded == 0 ? 0 : -1;
}

int linux_restrict_to_copying(void) { return load(copying, sizeof copying); }

static int restrict_to_inspecting(void) { return load(inspecting, sizeof inspecting); }

#else

int linux_restrict_to_copying(void) {
  errno = ENOSYS;
  return -1;
}

static int restrict_to_inspecting(void) { return 0; }

#endif

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
  if (restrict_to_inspecting() != 0) _exit(1);
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
