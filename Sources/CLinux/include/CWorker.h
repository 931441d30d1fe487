#ifndef QUICKVAULT_CWORKER_H
#define QUICKVAULT_CWORKER_H

/// A program that was started: its process and this end of each of its three pipes.
struct linux_worker {
  int process;
  /// pidfd_open(2) of the process: readable once it has ended.
  int watch;
  /// What the program reads from its descriptor 0, and what it writes to 1 and 2. Not blocking.
  int input, output, errors;
};

/// Starts a program with pipes on 0, 1 and 2 and no other descriptor, no signal blocked or ignored, and SIGKILL at the end
/// of the calling thread. All descriptors close on exec.
///
/// Returns 0, or the error number of what failed, execve(2) included: then nothing was started.
int linux_worker_start(
    struct linux_worker *_Nonnull worker, const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment);

/// Waits for the end of a program and forgets its process (waitid(2)).
///
/// Returns its exit status, or 128 and the number of the signal that ended it, or -1 where the system does not tell.
int linux_worker_end(int watch);

#endif
