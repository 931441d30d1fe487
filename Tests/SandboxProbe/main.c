/* Tries what the vault process gives up, as a helper program that the vault started.
 *
 *   sandbox-probe                      writes a line "NAME ERROR-NUMBER" for each attempt, 0 where the system let it
 *                                      happen, to its own path with ".results"
 *   sandbox-probe copying              does so on standard output, restricted like a relay
 *   sandbox-probe without COMMAND...   runs a command as on a kernel without Landlock and seccomp */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CSandbox.h"

static FILE *results;

static void report(const char *name, int number) { fprintf(results, "%s %d\n", name, number); }

/* Calls a function in a child, which returns an error number or becomes another program. */
static int in_child(int (*body)(void)) {
  pid_t child = fork();
  if (child == 0) _exit(body());
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0) return errno;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

static int execute(const char *path) {
  char *const arguments[] = {(char *)path, "nothing", NULL};
  execv(path, arguments);
  return errno;
}

static int execute_true(void) { return execute("/bin/true"); }
static int execute_itself(void) { return execute("/proc/self/exe"); }
static int trace(void) { return syscall(SYS_ptrace, 0 /* PTRACE_TRACEME */, 0, 0, 0) < 0 ? errno : 0; }
static int unshare_users(void) { return unshare(CLONE_NEWUSER) ? errno : 0; }

static int clone_users(void) {
  long child = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  return child < 0 ? errno : 0;
}

/* The 32-bit interface of x86-64, whose numbers mean other calls: 20 is getpid(2). */
static int call_of_another_architecture(void) {
#ifdef __x86_64__
  long number = 20;
  __asm__ volatile("int $0x80" : "+a"(number)::"memory");
#endif
  return 0;
}

static int read_memory(void) {
  char from = 'x', to;
  struct iovec source = {&from, 1}, target = {&to, 1};
  return process_vm_readv(getpid(), &target, 1, &source, 1, 0) < 0 ? errno : 0;
}

/* The parent of the process that started this one: the test, or what started the test. */
static int process_outside(void) {
  char path[64];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%d/stat", getppid());
  FILE *file = fopen(path, "r");
  if (file == NULL || fscanf(file, "%*d %*s %*c %d", &parent) != 1 || parent <= 0) return -1;
  fclose(file);
  return parent;
}

static int signal_outside(void) { return kill(process_outside(), 0) ? errno : 0; }

static int limit_of(pid_t process) {
  struct rlimit limit;
  return prlimit(process, RLIMIT_CPU, NULL, &limit) ? errno : 0;
}

static int processors_of(pid_t process) {
  cpu_set_t processors;
  if (sched_getaffinity(process, sizeof processors, &processors)) return errno;
  return sched_setaffinity(process, sizeof processors, &processors) ? errno : 0;
}

static int priority_of(int which, pid_t number) {
  return setpriority(which, number, getpriority(which, number)) ? errno : 0;
}

static int move_to_another_directory(void) {
  char directory[] = "/tmp/quickvault-probe-XXXXXX", from[64], to[64], file[80], moved[80];
  if (mkdtemp(directory) == NULL) return errno;
  snprintf(from, sizeof from, "%s/from", directory);
  snprintf(to, sizeof to, "%s/to", directory);
  snprintf(file, sizeof file, "%s/file", from);
  snprintf(moved, sizeof moved, "%s/file", to);
  int number = 0;
  if (mkdir(from, 0700) || mkdir(to, 0700) || close(open(file, O_CREAT | O_WRONLY, 0600)) || rename(file, moved) ||
      link(moved, file) || unlink(file))
    number = errno;
  unlink(moved), rmdir(from), rmdir(to), rmdir(directory);
  return number;
}

static int open_socket(int family) {
  int made = socket(family, SOCK_DGRAM, 0);
  if (made < 0) return errno;
  close(made);
  return 0;
}

static int pair_sockets(void) {
  int pair[2];
  return socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ? errno : 0;
}

static void *nothing(void *argument) { return argument; }

static int start_thread(void) {
  pthread_t thread;
  int failure = pthread_create(&thread, NULL, nothing, NULL);
  return failure ? failure : pthread_join(thread, NULL);
}

/* Calls with arguments that are invalid or harmless: only a filter fails them with EPERM for every user. */
static const struct {
  const char *name;
  long call;
  long arguments[4];
} calls[] = {
    {"pidfd_getfd", SYS_pidfd_getfd, {-1}},
    {"setns", SYS_setns, {-1}},
    {"mount", SYS_mount, {0}},
    {"open_by_handle_at", SYS_open_by_handle_at, {-1}},
    {"bpf", SYS_bpf, {-1}},
    {"perf_event_open", SYS_perf_event_open, {0, 0, -1, -1}},
    {"userfaultfd", SYS_userfaultfd, {-1}},
    {"io_uring_setup", SYS_io_uring_setup, {0}},
    {"keyctl", SYS_keyctl, {-1}},
    {"personality", SYS_personality, {0xFFFFFFFF}},
};

static int try_everything(const char *own) {
  char unfinished[4096], path[4096];
  snprintf(unfinished, sizeof unfinished, "%s.unfinished", own);
  snprintf(path, sizeof path, "%s.results", own);
  results = fopen(unfinished, "we");
  if (results == NULL) return 1;
  setvbuf(results, NULL, _IOLBF, 4096);
  report("landlock-version", (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION));
  report("socket-unix", open_socket(AF_UNIX));
  report("socketpair-unix", pair_sockets());
  report("socket-inet", open_socket(AF_INET));
  report("socket-inet6", open_socket(AF_INET6));
  report("socket-netlink", open_socket(AF_NETLINK));
  report("thread", start_thread());
  report("move-file", move_to_another_directory());
  report("execute-itself", in_child(execute_itself));
  report("execute-other", in_child(execute_true));
  report("ptrace", in_child(trace));
  report("process_vm_readv", read_memory());
  report("unshare", in_child(unshare_users));
  report("clone-namespace", in_child(clone_users));
  report("other-architecture", in_child(call_of_another_architecture));
  report("signal-outside", signal_outside());
  report("limit-outside", limit_of(process_outside()));
  report("limit-itself", limit_of(0));
  report("processors-outside", processors_of(process_outside()));
  report("processors-itself", processors_of(0));
  report("priority-outside", priority_of(PRIO_PROCESS, process_outside()));
  report("priority-of-user", priority_of(PRIO_USER, 0));
  report("priority-itself", priority_of(PRIO_PROCESS, 0));
  report("type-into-terminal", ioctl(0, TIOCSTI, "x") ? errno : 0);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    const long *given = calls[i].arguments;
    report(calls[i].name, syscall(calls[i].call, given[0], given[1], given[2], given[3]) < 0 ? errno : 0);
  }
  return fclose(results) || rename(unfinished, path);
}

static int try_to_open(void) { return open("/dev/null", O_RDONLY) < 0 ? errno : 0; }
static int try_to_signal(void) { return kill(getppid(), 0) ? errno : 0; }
static int try_to_fork(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return child < 0 ? errno : 0;
}

/* A relay has other descriptors, but no other rights. */
static int try_as_relay(void) {
  int unread;
  if (linux_restrict_to_copying() != 0) return 1;
  results = stdout;
  setvbuf(results, NULL, _IONBF, 0);
  report("write", 0);
  report("count-unread", ioctl(0, FIONREAD, &unread) ? errno : 0);
  report("open", try_to_open());
  report("socket-unix", open_socket(AF_UNIX));
  report("socket-inet", open_socket(AF_INET));
  report("signal", try_to_signal());
  report("fork", try_to_fork());
  report("execute", execute("/bin/true"));
  report("type-into-terminal", ioctl(0, TIOCSTI, "x") ? errno : 0);
  report("change-status-flags", fcntl(0, F_SETFL, 0) ? errno : 0);
  return 0;
}

static int run_without(char **command) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) return 1;
  execv(command[0], command);
  return 1;
}

int main(int count, char **arguments) {
  if (count > 2 && strcmp(arguments[1], "without") == 0) return run_without(arguments + 2);
  if (count > 1 && strcmp(arguments[1], "copying") == 0) return try_as_relay();
  return count == 1 ? try_everything(arguments[0]) : 0;
}
