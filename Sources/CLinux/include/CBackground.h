#ifndef QUICKVAULT_CBACKGROUND_H
#define QUICKVAULT_CBACKGROUND_H

/// Programs that continue in the background.

/// Forks. Never returns in the caller, which exits with status 0 when the new process is ready, or with its status when it has
/// ended. The new process has its own session without a terminal, `/` as its working directory, no descriptor but standard
/// error and /dev/null, and no signal blocked or ignored. The calling thread must be the only one.
///
/// Returns, in the new process, the descriptor for linux_background_ready; or -1 and errno without having forked.
int linux_background_begin(void);
/// Ends the process that called linux_background_begin, and redirects standard error to /dev/null. Returns 0, or -1 and errno.
int linux_background_ready(int descriptor);

/// Runs a program with /dev/null for standard input and output, with no descriptor beyond standard error and no signal
/// blocked or ignored, and waits for its end. Returns its exit status, or 128 plus the number of the signal that ended it,
/// or -1 and errno if it could not be started.
int linux_run(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment);

#endif
