/* What the vault process gives up for good, and with it the programs that it starts. */
#define _GNU_SOURCE
#include "CSandbox.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The ruleset of landlock(7), with the members and rights that older headers lack. */
typedef struct {
  uint64_t files, network, scoped;
} Ruleset;

static const uint64_t ioctl_on_devices = 1ULL << 15, bind_and_connect_tcp = 3, signals = 1ULL << 1;

static char *const terminals[] = {"/dev/pts", "/dev/tty", "/dev/tty1", "/dev/tty2", "/dev/tty3", "/dev/tty4",
                                  "/dev/tty5", "/dev/tty6", NULL};

static int allow_beneath(int ruleset, const char *path, uint64_t rights) {
  struct landlock_path_beneath_attr rule = {
      .allowed_access = rights, .parent_fd = open(path, O_PATH | O_CLOEXEC)};
  /* What does not exist need not be allowed. */
  if (rule.parent_fd < 0) return errno == ENOENT || errno == ENOTDIR ? 0 : -1;
  long added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  int failure = errno;
  close(rule.parent_fd);
  errno = failure;
  return (int)added;
}

/* The dynamic loader's directory: an upgrade of the loader replaces the file. */
static int allow_loader(int ruleset) {
  Dl_info loader;
  char path[PATH_MAX];
  void *base = (void *)getauxval(AT_BASE);
  if (base == NULL) return 0; /* linked statically */
  if (dladdr(base, &loader) == 0 || realpath(loader.dli_fname, path) == NULL) return -1;
  return allow_beneath(ruleset, dirname(path), LANDLOCK_ACCESS_FS_EXECUTE);
}

int linux_restrict_files(char *const *programs) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 0) return -1;
  if (version < 2) {
    /* Version 1 forbids to move a file to another directory. */
    errno = EOPNOTSUPP;
    return -1;
  }
  Ruleset rules = {
      LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
          LANDLOCK_ACCESS_FS_REFER | (version >= 5 ? ioctl_on_devices : 0),
      bind_and_connect_tcp, signals};
  size_t size = version >= 6   ? sizeof rules
                : version >= 4 ? offsetof(Ruleset, scoped)
                               : offsetof(Ruleset, network);
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return -1;
  int failed = allow_beneath(ruleset, "/", LANDLOCK_ACCESS_FS_REFER) != 0 ||
               allow_beneath(ruleset, "/proc/self/exe", LANDLOCK_ACCESS_FS_EXECUTE) != 0 ||
               allow_loader(ruleset) != 0;
  /* A pinentry reads a password from the client's terminal, and turns off its echo. */
  for (char *const *terminal = terminals; version >= 5 && !failed && *terminal != NULL; terminal++) {
    failed = allow_beneath(ruleset, *terminal, ioctl_on_devices) != 0;
  }
  for (; !failed && *programs != NULL; programs++) {
    failed = allow_beneath(ruleset, *programs, LANDLOCK_ACCESS_FS_EXECUTE) != 0;
  }
  failed = failed || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
           syscall(SYS_landlock_restrict_self, ruleset, 0) != 0;
  int failure = errno;
  close(ruleset);
  errno = failure;
  return failed ? -1 : 0;
}

static const uint64_t reading_rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t all_rights_of_version_2 = (LANDLOCK_ACCESS_FS_REFER << 1) - 1, truncation = 1ULL << 14;
/* What a rule for something else than a directory may have. */
static const uint64_t file_rights =
    LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_EXECUTE | 1ULL << 14;

static int allow_each(int ruleset, char *const *paths, uint64_t rights) {
  for (; *paths != NULL; paths++) {
    struct stat status;
    int is_file = stat(*paths, &status) == 0 && !S_ISDIR(status.st_mode);
    if (allow_beneath(ruleset, *paths, is_file ? rights & file_rights : rights) != 0) return -1;
  }
  return 0;
}

int linux_restrict_to_files(char *const *reading, char *const *writing) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 0) return -1;
  if (version < 2) {
    errno = EOPNOTSUPP;
    return -1;
  }
  uint64_t all = all_rights_of_version_2 | (version >= 3 ? truncation : 0) | (version >= 5 ? ioctl_on_devices : 0);
  uint64_t changing = all & ~(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                              ioctl_on_devices);
  Ruleset rules = {.files = all};
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, offsetof(Ruleset, network), 0);
  if (ruleset < 0) return -1;
  int failed = allow_each(ruleset, reading, reading_rights) != 0 || allow_each(ruleset, writing, changing) != 0 ||
               prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || syscall(SYS_landlock_restrict_self, ruleset, 0) != 0;
  int failure = errno;
  close(ruleset);
  errno = failure;
  return failed ? -1 : 0;
}

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* removexattrat(2) of Linux 6.13, the last call that was considered here. Numbers above 423 are the same on all
   architectures; those of the x32 interface are far above. */
#define LAST_CALL 466
#define NAMESPACES                                                                                        \
  (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET)

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
#define RETURN(action) BPF_STMT(BPF_RET | BPF_K, action)
#define IF_EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, then, otherwise)
#define ALLOW(call) IF_EQUAL(call, 0, 1), RETURN(SECCOMP_RET_ALLOW)
#define BEGIN LOAD(arch), IF_EQUAL(ARCHITECTURE, 1, 0), RETURN(SECCOMP_RET_KILL_PROCESS), LOAD(nr)
#define FAIL(number) RETURN(SECCOMP_RET_ERRNO | (number))
#define REFUSE(call) IF_EQUAL(call, 0, 1), FAIL(EPERM)
/* Allows a call for the caller alone, which its argument names by 0. */
#define ONLY_FOR_ITSELF(call, argument) \
  IF_EQUAL(call, 0, 4), LOAD(args[argument]), IF_EQUAL(0, 0, 1), RETURN(SECCOMP_RET_ALLOW), FAIL(EPERM)

/* A filter is made of these parts, in this order; the middle one is optional. */
static const struct sock_filter beginning[] = {
    BEGIN,
    BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, LAST_CALL, 0, 1),
    FAIL(ENOSYS),
};

static const struct sock_filter local_sockets[] = {
    /* Sockets of this machine only: the desktop helper speaks D-Bus. Arguments are compared by their lower half,
       the int that the kernel takes. */
    IF_EQUAL(SYS_socket, 1, 0),
    IF_EQUAL(SYS_socketpair, 0, 4),
    LOAD(args[0]),
    IF_EQUAL(AF_UNIX, 0, 1),
    RETURN(SECCOMP_RET_ALLOW),
    FAIL(EPERM),
};

static const struct sock_filter others[] = {
    /* Threads and processes, but no namespaces. A filter cannot read the structure of clone3(2), without which the
       C library uses clone(2). */
    IF_EQUAL(SYS_clone, 0, 4),
    LOAD(args[0]),
    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1),
    FAIL(EPERM),
    RETURN(SECCOMP_RET_ALLOW),
    IF_EQUAL(SYS_clone3, 0, 1),
    FAIL(ENOSYS),

    /* No input typed into the terminal. */
    IF_EQUAL(SYS_ioctl, 0, 5),
    LOAD(args[1]),
    IF_EQUAL(TIOCSTI, 1, 0),
    IF_EQUAL(TIOCLINUX, 0, 1),
    FAIL(EPERM),
    RETURN(SECCOMP_RET_ALLOW),

    /* Other processes */
    REFUSE(SYS_ptrace),
    REFUSE(SYS_process_vm_readv),
    REFUSE(SYS_process_vm_writev),
    REFUSE(SYS_process_madvise),
    REFUSE(SYS_pidfd_getfd),
    REFUSE(SYS_kcmp),
    /* A limit of processor time kills a process that must not get a signal. */
    ONLY_FOR_ITSELF(SYS_prlimit64, 0),
    ONLY_FOR_ITSELF(SYS_sched_setaffinity, 0),
    ONLY_FOR_ITSELF(SYS_sched_setscheduler, 0),
    ONLY_FOR_ITSELF(SYS_sched_setparam, 0),
    ONLY_FOR_ITSELF(SYS_sched_setattr, 0),
    REFUSE(SYS_ioprio_set),
    /* The priority of the calling thread, which libdispatch sets, and not that of a user. */
    IF_EQUAL(SYS_setpriority, 0, 6),
    LOAD(args[0]),
    IF_EQUAL(PRIO_PROCESS, 0, 3),
    LOAD(args[1]),
    IF_EQUAL(0, 0, 1),
    RETURN(SECCOMP_RET_ALLOW),
    FAIL(EPERM),

    /* Namespaces and mounts */
    REFUSE(SYS_unshare),
    REFUSE(SYS_setns),
    REFUSE(SYS_mount),
    REFUSE(SYS_umount2),
    REFUSE(SYS_pivot_root),
    REFUSE(SYS_chroot),
    REFUSE(SYS_move_mount),
    REFUSE(SYS_open_tree),
    REFUSE(SYS_fsopen),
    REFUSE(SYS_fsconfig),
    REFUSE(SYS_fsmount),
    REFUSE(SYS_fspick),
    REFUSE(SYS_mount_setattr),
    REFUSE(SYS_open_by_handle_at),
    REFUSE(SYS_fanotify_init),

    /* Parts of the kernel in which most weaknesses were found, and which nothing here needs */
    REFUSE(SYS_bpf),
    REFUSE(SYS_perf_event_open),
    REFUSE(SYS_userfaultfd),
    REFUSE(SYS_io_uring_setup),
    REFUSE(SYS_io_uring_enter),
    REFUSE(SYS_io_uring_register),
    REFUSE(SYS_add_key),
    REFUSE(SYS_request_key),
    REFUSE(SYS_keyctl),
    REFUSE(SYS_personality),
    REFUSE(SYS_move_pages),
    REFUSE(SYS_migrate_pages),
#ifdef SYS_modify_ldt
    REFUSE(SYS_modify_ldt),
#endif

    /* The machine */
    REFUSE(SYS_kexec_load),
#ifdef SYS_kexec_file_load
    REFUSE(SYS_kexec_file_load),
#endif
    REFUSE(SYS_init_module),
    REFUSE(SYS_finit_module),
    REFUSE(SYS_delete_module),
    REFUSE(SYS_swapon),
    REFUSE(SYS_swapoff),
    REFUSE(SYS_reboot),
    REFUSE(SYS_acct),
    REFUSE(SYS_quotactl),
    REFUSE(SYS_quotactl_fd),
    REFUSE(SYS_syslog),
    REFUSE(SYS_settimeofday),
    REFUSE(SYS_clock_settime),
    REFUSE(SYS_adjtimex),
    REFUSE(SYS_clock_adjtime),
    REFUSE(SYS_sethostname),
    REFUSE(SYS_setdomainname),
    REFUSE(SYS_vhangup),
#ifdef SYS_iopl
    REFUSE(SYS_iopl),
    REFUSE(SYS_ioperm),
#endif
    RETURN(SECCOMP_RET_ALLOW),
};

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
    FAIL(EPERM),
    /* What a thread does that begins just now. */
    ALLOW(SYS_rseq),
    ALLOW(SYS_set_robust_list),
    FAIL(EPERM),
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
    FAIL(EPERM),
};

static int load(const struct sock_filter *filter, size_t size) {
  struct sock_fprog program = {(unsigned short)(size / sizeof *filter), (struct sock_filter *)filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  /* Before Linux 5.16 a filter slows the whole process down unless it allows speculation. */
  long loaded = syscall(
      SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
  if (loaded > 0) errno = EBUSY; /* a thread with a filter of its own */
  return loaded == 0 ? 0 : -1;
}

static int restrict_calls(size_t socket_bytes) {
  struct sock_filter filter[(sizeof beginning + sizeof local_sockets + sizeof others) / sizeof *others];
  memcpy(filter, beginning, sizeof beginning);
  memcpy((char *)filter + sizeof beginning, local_sockets, socket_bytes);
  memcpy((char *)filter + sizeof beginning + socket_bytes, others, sizeof others);
  return load(filter, sizeof beginning + socket_bytes + sizeof others);
}

int linux_restrict_calls(void) { return restrict_calls(sizeof local_sockets); }

int linux_restrict_calls_but_sockets(void) { return restrict_calls(0); }

int linux_restrict_to_copying(void) { return load(copying, sizeof copying); }

int linux_restrict_to_inspecting(void) { return load(inspecting, sizeof inspecting); }

#else

int linux_restrict_calls(void) {
  errno = ENOSYS;
  return -1;
}

int linux_restrict_calls_but_sockets(void) { return linux_restrict_calls(); }

int linux_restrict_to_copying(void) { return linux_restrict_calls(); }

int linux_restrict_to_inspecting(void) { return 0; }

#endif
