#ifndef QUICKVAULT_CSTARTER_H
#define QUICKVAULT_CSTARTER_H

/// Starts a process that starts one program, with its arguments, whenever linux_starter_run asks for it, until the last
/// descriptor of its socket is closed. What the caller gives up later, such as the network, that program still has.
///
/// The process holds nothing, is confined by linux_restrict_calls_but_sockets, as are those that it starts, and is called
/// `quickvault-net`. It is not a child of the caller, who need not wait for it. The calling thread must be the only one.
/// `arguments` begins with the program's absolute path.
///
/// Returns the descriptor of the socket, which closes on exec, or -1 and errno.
int linux_starter_begin(char *_Nullable const *_Nonnull arguments);

/// Has the program started, with one end of a new socket as its descriptors 0 and 1, and nothing else. It is to end when the
/// other end is closed.
///
/// Returns the other end, which closes on exec and does not block, or -1 and errno. A program that cannot be started closes
/// its end at once.
int linux_starter_run(int starter);

#endif
