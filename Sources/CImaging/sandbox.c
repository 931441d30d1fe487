/* Confinement of the process before it reads untrusted bytes. */
#define _GNU_SOURCE
#include "CImaging.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What poppler reads for fonts that are not embedded in a document. */
static const char *const readable[] = {"/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig",
                                       "/etc/fonts",       "/var/cache/fontconfig",  "/usr/share/poppler"};

/* landlock(7): handles all rights that the kernel's version knows, and allows reading below a few
 * directories. */
typedef struct {
  __u64 files, network, scoped;
} Ruleset;

static Ruleset all_rights(long version) {
  Ruleset rules = {(1ULL << 13) - 1, 0, 0};
  if (version >= 2) rules.files |= 1ULL << 13; /* refer */
  if (version >= 3) rules.files |= 1ULL << 14; /* truncate */
  if (version >= 4) rules.network = 3;         /* TCP bind and connect */
  if (version >= 5) rules.files |= 1ULL << 15; /* ioctl on devices */
  if (version >= 6) rules.scoped = 3;          /* abstract sockets and signals */
  return rules;
}

static size_t ruleset_size(long version) {
  if (version >= 6) return sizeof(Ruleset);
  return version >= 4 ? offsetof(Ruleset, scoped) : offsetof(Ruleset, network);
}

static ImagingConfinement restrict_files(ImagingFormat format) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) {
    /* ENOSYS: not built in; EOPNOTSUPP: disabled at boot. */
    return errno == ENOSYS || errno == EOPNOTSUPP ? IMAGING_CONFINED_WITHOUT_LANDLOCK : IMAGING_NOT_CONFINED;
  }
  Ruleset rules = all_rights(version);
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, ruleset_size(version), 0);
  if (ruleset < 0) return IMAGING_NOT_CONFINED;
  for (size_t i = 0; format == IMAGING_PDF && i < sizeof readable / sizeof *readable; i++) {
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = open(readable[i], O_PATH | O_CLOEXEC)};
    if (rule.parent_fd < 0) continue;
    long added = syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    if (added != 0) {
      close(ruleset);
      return IMAGING_NOT_CONFINED;
    }
  }
  long restricted = syscall(SYS_landlock_restrict_self, ruleset, 0);
  close(ruleset);
  return restricted == 0 ? IMAGING_CONFINED : IMAGING_NOT_CONFINED;
}

/* Memory, threads, clocks, and open descriptors. */
static const int allowed[] = {
    SCMP_SYS(read),           SCMP_SYS(readv),
    SCMP_SYS(pread64),        SCMP_SYS(write),
    SCMP_SYS(writev),         SCMP_SYS(close),
    SCMP_SYS(lseek),          SCMP_SYS(poll),
    SCMP_SYS(ppoll),          SCMP_SYS(brk),
    SCMP_SYS(munmap),         SCMP_SYS(mremap),
    SCMP_SYS(madvise),        SCMP_SYS(membarrier),
    SCMP_SYS(futex),          SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),           SCMP_SYS(set_tid_address),
    SCMP_SYS(sched_yield),    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(exit),           SCMP_SYS(exit_group),
    SCMP_SYS(rt_sigreturn),   SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(sigaltstack),
    SCMP_SYS(getpid),         SCMP_SYS(gettid),
    SCMP_SYS(getrandom),      SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),   SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),      SCMP_SYS(gettimeofday),
    SCMP_SYS(getrusage),      SCMP_SYS(sysinfo),
    SCMP_SYS(uname),          SCMP_SYS(restart_syscall),
};

/* What poppler and fontconfig need besides to find and read fonts; Landlock limits where. */
static const int allowed_for_fonts[] = {
    SCMP_SYS(fstat),      SCMP_SYS(stat),      SCMP_SYS(lstat),    SCMP_SYS(newfstatat), SCMP_SYS(statx),
    SCMP_SYS(statfs),     SCMP_SYS(fstatfs),   SCMP_SYS(access),   SCMP_SYS(faccessat),  SCMP_SYS(faccessat2),
    SCMP_SYS(getdents64), SCMP_SYS(fadvise64), SCMP_SYS(readlink), SCMP_SYS(readlinkat),
};

/* Calls that kill the process: no decoder needs them. Calls in no list fail with ENOSYS. */
static const int fatal[] = {
    SCMP_SYS(execve),
    SCMP_SYS(execveat),
    SCMP_SYS(fork),
    SCMP_SYS(vfork),
    SCMP_SYS(ptrace),
    SCMP_SYS(process_vm_readv),
    SCMP_SYS(process_vm_writev),
    SCMP_SYS(socket),
    SCMP_SYS(socketpair),
    SCMP_SYS(connect),
    SCMP_SYS(bind),
    SCMP_SYS(listen),
    SCMP_SYS(accept),
    SCMP_SYS(accept4),
    SCMP_SYS(sendto),
    SCMP_SYS(sendmsg),
    SCMP_SYS(sendmmsg),
    SCMP_SYS(kill),
    SCMP_SYS(tkill),
    SCMP_SYS(pidfd_open),
    SCMP_SYS(pidfd_getfd),
    SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(bpf),
    SCMP_SYS(userfaultfd),
    SCMP_SYS(io_uring_setup),
    SCMP_SYS(keyctl),
    SCMP_SYS(add_key),
    SCMP_SYS(mount),
    SCMP_SYS(unshare),
    SCMP_SYS(setns),
    SCMP_SYS(chroot),
    SCMP_SYS(perf_event_open),
    SCMP_SYS(memfd_create),
    SCMP_SYS(shmget),
    SCMP_SYS(shmat),
    SCMP_SYS(init_module),
    SCMP_SYS(finit_module),
    SCMP_SYS(kexec_load),
    SCMP_SYS(open_by_handle_at),
    SCMP_SYS(personality),
};

static bool add_all(scmp_filter_ctx filter, uint32_t action, const int *calls, size_t count) {
  for (size_t i = 0; i < count; i++) {
    /* EDOM: the call does not exist on this architecture. */
    int code = seccomp_rule_add(filter, action, calls[i], 0);
    if (code != 0 && code != -EDOM) return false;
  }
  return true;
}

/* Allows a call if (argument & mask) == value. */
static bool allow_if(
    scmp_filter_ctx filter, int call, unsigned argument, scmp_datum_t mask, scmp_datum_t value) {
  struct scmp_arg_cmp condition = {argument, SCMP_CMP_MASKED_EQ, mask, value};
  int code = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, call, 1, &condition);
  return code == 0 || code == -EDOM;
}

static bool deny(scmp_filter_ctx filter, int call) {
  int code = seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), call, 0);
  return code == 0 || code == -EDOM;
}

/* Allows threads but no processes, memory but no code, and no opening for writing. */
static bool add_conditions(scmp_filter_ctx filter, ImagingFormat format) {
  const unsigned thread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
  const unsigned writing = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);
  const scmp_datum_t all = ~(scmp_datum_t)0;
  bool is_added = allow_if(filter, SCMP_SYS(clone), 0, thread, thread) &&
                  allow_if(filter, SCMP_SYS(mmap), 2, PROT_EXEC, 0) &&
                  allow_if(filter, SCMP_SYS(mprotect), 2, PROT_EXEC, 0) &&
                  allow_if(filter, SCMP_SYS(prctl), 0, all, PR_SET_NAME) &&
                  allow_if(filter, SCMP_SYS(prlimit64), 2, all, 0) &&
                  allow_if(filter, SCMP_SYS(fcntl), 1, all, F_GETFL) &&
                  /* abort(3) signals its own process. */
                  allow_if(filter, SCMP_SYS(tgkill), 0, all, (scmp_datum_t)getpid());
  if (format == IMAGING_PDF) {
    return is_added && allow_if(filter, SCMP_SYS(openat), 2, writing, 0) &&
           allow_if(filter, SCMP_SYS(open), 1, writing, 0);
  }
  return is_added && deny(filter, SCMP_SYS(openat)) && deny(filter, SCMP_SYS(open)) &&
         seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fstat), 0) == 0;
}

static bool restrict_calls(ImagingFormat format) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
  if (filter == NULL) return false;
  bool is_loaded = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS) == 0 &&
                   add_all(filter, SCMP_ACT_ALLOW, allowed, sizeof allowed / sizeof *allowed) &&
                   (format != IMAGING_PDF || add_all(
                                                 filter, SCMP_ACT_ALLOW, allowed_for_fonts,
                                                 sizeof allowed_for_fonts / sizeof *allowed_for_fonts)) &&
                   add_all(filter, SCMP_ACT_KILL_PROCESS, fatal, sizeof fatal / sizeof *fatal) &&
                   add_conditions(filter, format) && seccomp_load(filter) == 0;
  seccomp_release(filter);
  return is_loaded;
}

/* Landlock restricts the calling thread and those it starts, so there must be no other. Pango's font
 * thread ends when its font map is freed; waits a second for it. */
static bool is_single_threaded(void) {
  const struct timespec moment = {0, 200000};
  for (int attempt = 0; attempt < 5000; attempt++) {
    struct stat tasks;
    if (stat("/proc/self/task", &tasks) != 0) return false;
    if (tasks.st_nlink == 3) return true;
    nanosleep(&moment, NULL);
  }
  return false;
}

ImagingConfinement imaging_confine(ImagingFormat format) {
  if (!is_single_threaded() || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return IMAGING_NOT_CONFINED;
  ImagingConfinement files = restrict_files(format);
  if (files == IMAGING_NOT_CONFINED || !restrict_calls(format)) return IMAGING_NOT_CONFINED;
  return files;
}
