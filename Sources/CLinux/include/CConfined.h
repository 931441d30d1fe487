#ifndef QUICKVAULT_CCONFINED_H
#define QUICKVAULT_CCONFINED_H

#include <stdint.h>

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
