#ifndef QUICKVAULT_CWORKER_H
#define QUICKVAULT_CWORKER_H

/// A running program: its process and this end of each of its three pipes.
struct linux_worker {
  int process;
  /// pidfd_open(2) of the process: readable once it has ended.
  int watch;
  /// The pipes to the program's descriptor 0, and from its 1 and 2. Not blocking.
  int input, output, errors;
};

/// Starts a program with pipes on 0, 1 and 2, no other descriptor, and no signal blocked or ignored. It gets SIGKILL when
/// the calling thread ends. All descriptors close on exec.
///
/// Returns 0, or the error number of the call that failed, execve(2) included; nothing is running then.
int linux_worker_start(
    struct linux_worker *_Nonnull worker, const char *_Nonnull path, char *_Nullable const *_Nonnull arguments,
    char *_Nullable const *_Nonnull environment);

/// Waits for the end of a program and reaps its process (waitid(2)).
///
/// Returns its exit status, or 128 plus the number of the signal that ended it, or -1 for an error of waitid(2).
int linux_worker_end(int watch);

#endif
