#ifndef QUICKVAULT_CCONFINED_H
#define QUICKVAULT_CCONFINED_H

#include <stdint.h>

/// Processes that may use only a short list of system calls; all others fail with EPERM. If the architecture has no filter,
/// the functions fail with ENOSYS.

/// Restricts this process, with all its threads, to reading and writing open descriptors, to memory, and to ending: it
/// opens no file or socket and starts no process or thread from now on. Returns 0, or -1 and errno.
int linux_restrict_to_copying(void);

/// The size of a buffer for a path, with its end.
#define LINUX_PATH_SIZE 4096

/// The identity of a file, and the number of its names.
struct linux_file {
  uint64_t device, number, links;
};

/// Reads which file a process executes, and its path, the target of /proc/PID/exe, with a terminating zero, into a buffer of
/// LINUX_PATH_SIZE bytes. Returns 0, or -1 and errno.
int linux_executable_of(int process, struct linux_file *_Nonnull file, char *_Nonnull path);

/// Starts a process that answers linux_inspect, until the last descriptor of its socket is closed. It holds no data and
/// does nothing else. It is not a child of the caller, who need not wait for it. The calling thread must be the only one.
///
/// Returns the descriptor of the socket, which closes on exec, or -1 and errno.
int linux_inspector_start(void);
/// Asks an inspector for linux_executable_of. Waits for at most a second. Returns 0, or -1 and errno.
int linux_inspect(int inspector, int process, struct linux_file *_Nonnull file, char *_Nonnull path);

#endif
