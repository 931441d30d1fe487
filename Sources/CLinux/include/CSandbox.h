#ifndef QUICKVAULT_CSANDBOX_H
#define QUICKVAULT_CSANDBOX_H

/// Restrictions of the calling process for good, and of every program that it starts or becomes. Each call adds a
/// layer, and the kernel allows few. All return 0, or -1 and errno.

/// Denies, with landlock(7), to execute any program but this one, those in `programs` (files, or directories with all
/// beneath them, ended by null; what is missing is left out) and the dynamic loader; to make device files; and, where the kernel can,
/// to control devices, to connect or listen by TCP, and to signal processes outside. The calling thread must be the
/// only one.
///
/// Fails with ENOSYS or EOPNOTSUPP if the kernel has no Landlock, or only its first version (before Linux 5.19).
int linux_restrict_files(char *_Nullable const *_Nonnull programs);

/// Makes calls fail with EPERM by a seccomp(2) filter: all sockets but AF_UNIX, access to other processes' memory,
/// namespaces, mounts, and parts of the kernel that no library here uses. Calls that the filter does not know fail with
/// ENOSYS, and a call by the numbers of another architecture kills the process.
int linux_restrict_calls(void);

/// Like linux_restrict_calls, but with sockets of every kind.
int linux_restrict_calls_but_sockets(void);

/// Denies, with landlock(7), to read any file but those in `reading`, to change any but those in `writing`, which can be
/// read as well (files, or directories with all beneath them, ended by null; what is missing is left out), and to execute
/// any program. Holds for the calling thread and those that it starts.
///
/// Fails with ENOSYS or EOPNOTSUPP if the kernel has no Landlock, or only its first version.
int linux_restrict_to_files(
    char *_Nullable const *_Nonnull reading, char *_Nullable const *_Nonnull writing);

/// Restricts this process, with all its threads, to reading and writing open descriptors, to memory, and to ending: it
/// opens no file or socket and starts no process or thread from now on. All other calls fail with EPERM.
///
/// Fails with ENOSYS if the architecture has no filter.
int linux_restrict_to_copying(void);

/// Restricts this process to reading and writing open descriptors and to naming what links refer to. Does nothing if the
/// architecture has no filter.
int linux_restrict_to_inspecting(void);

#endif
