#ifndef QUICKVAULT_CTERMINAL_H
#define QUICKVAULT_CTERMINAL_H

/// Starts a program on a new pseudo-terminal that has the modes and the size of `model`, in a session of its own. A process above
/// it reports what becomes of it: Ctrl-Z could not stop a program whose parent is in another session (POSIX, orphaned process
/// group).
///
/// `errors` becomes descriptor 2 of the program, or the terminal if it is -1; `mask` is its umask. Signals that the caller ignores
/// stay ignored, but for SIGPIPE and SIGXFSZ.
///
/// Returns the descriptor to read the reports from, each an int: the process ID; each status that waitpid(2) gives, until the
/// program has ended; or a negative errno, at any time before, if the program could not be started. `*terminal` is the end of the
/// terminal for the caller, which does not block. Both close on exec. Returns -1 and errno if nothing was started.
int linux_run_on_terminal(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    int model, int errors, unsigned mask, int *_Nonnull terminal);

/// execve(2) with a umask, and with the signals of linux_run_on_terminal. Returns -1 and errno.
int linux_become(
    const char *_Nonnull path, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    unsigned mask);

/// Whether the process ignores a signal.
int linux_ignores(int signal);
/// sigprocmask(2) and signalfd(2) for the signals that a program is to get when this process gets them, and for SIGCONT and
/// SIGWINCH; without those that the process ignores.
int linux_forwarding_descriptor(void);
/// Reads the number of the next signal from a descriptor of linux_forwarding_descriptor, negated if the kernel has sent it, as it
/// does for the keyboard; 0 for none.
int linux_next_forwarded_signal(int descriptor);

#endif
