#ifndef QUICKVAULT_CLINUX_H
#define QUICKVAULT_CLINUX_H

#include "CBackground.h"
#include "CConfined.h"
#include "CSandbox.h"
#include "CSocket.h"
#include "CStarter.h"
#include "CTerminal.h"
#include "CWorker.h"

#include <stddef.h>
#include <stdint.h>

/// Calls of Linux that Swift's Glibc module does not show, because they are variadic or behind _GNU_SOURCE.
/// Each returns what the call of its name returns, and leaves errno as that does. Descriptors close on exec.

/// eventfd(2), not blocking.
int linux_eventfd(void);
/// timerfd_create(2) with CLOCK_BOOTTIME, not blocking.
int linux_boot_timer(void);
/// timerfd_settime(2): expires once after this time; zero for both stops the timer.
int linux_boot_timer_set(int descriptor, int64_t seconds, int64_t nanoseconds);
/// Starts as many threads at a time, and waits for their end. Returns 0, or the error of pthread_create(3).
int linux_try_threads(int count);
/// timer_create(2): a timer of the kernel, without a thread, that sends SIGKILL to the process. A program that replaces this one
/// does not have it. Returns its number, from 0, or -1.
int64_t linux_kill_timer(void);
/// timer_settime(2): expires once after this time; zero stops the timer.
int linux_kill_timer_set(int64_t timer, int64_t seconds);
/// sigprocmask(2) and signalfd(2) for SIGTERM, SIGINT and SIGHUP, and signalfd(2) for SIGQUIT and SIGTSTP; SIGPIPE and SIGXFSZ
/// are ignored.
int linux_signal_descriptor(void);
/// Reads the number of the next signal from a descriptor of linux_signal_descriptor; 0 for none.
int linux_next_signal(int descriptor);
/// pidfd_open(2).
int linux_process_descriptor(int process);
/// memfd_create(2), which does not close on exec.
int linux_memory_file(const char *_Nonnull name);
/// Whether a path is in a tmpfs or ramfs, as statfs(2) says.
int linux_is_in_memory(const char *_Nonnull path);
/// prctl(2) with PR_SET_DUMPABLE 0: no core file, and only root reads the process's memory.
int linux_forbid_dumping(void);
/// setrlimit(2) with RLIMIT_CORE 0.
int linux_forbid_core_files(void);
/// setrlimit(2): raises the soft limit of descriptors to the hard limit.
int linux_raise_descriptor_limit(void);

/// Whether a descriptor is that of a socket.
int linux_is_socket(int descriptor);
/// mlockall(2) for all pages, current and future, as they are used. Fails with EPERM if RLIMIT_MEMLOCK is limited, because
/// later allocations would fail.
int linux_lock_memory(void);
/// The soft limit RLIMIT_MEMLOCK in bytes; -1 where there is none.
int64_t linux_memory_lock_limit(void);
/// mallopt(3): blocks of 256 KiB and more are mapped separately, and returned to the system as soon as they are freed.
void linux_return_freed_memory(void);
/// Zeroes 64 KiB of this thread's stack below the current frame, which earlier calls have used.
void linux_overwrite_stack(void);
/// Whether haystack contains needle (memmem(3)).
int linux_contains(
    const void *_Nullable haystack, size_t haystack_count, const void *_Nullable needle, size_t needle_count);

/// open(2) with O_TMPFILE for writing: a file of mode 0600 without a name in a directory.
int linux_open_nameless(const char *_Nonnull directory);
/// openat2(2): opens a directory below another one, to which no symbolic link and no `..` leads.
int linux_open_directory_beneath(int directory, const char *_Nonnull path);
/// linkat(2): gives an open file without a name an unused one.
int linux_name(int descriptor, const char *_Nonnull path);
/// Gives a file an unused name, on every file system: with renameat2(2), else with a hard link. Those that have neither, such as exFAT
/// in user space, get an empty file that the other replaces: a process that is killed in between leaves it.
int linux_rename_to_new(const char *_Nonnull from, const char *_Nonnull to);

#endif
