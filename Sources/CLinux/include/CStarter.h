#ifndef QUICKVAULT_CSTARTER_H
#define QUICKVAULT_CSTARTER_H

#include <stddef.h>
#include <stdint.h>

/// Starts a process that starts one program, with its arguments, at each linux_starter_run, until the last descriptor of its
/// socket is closed. The program keeps access that the caller gives up later, such as to the network.
///
/// The process holds no data, is confined by linux_restrict_calls_but_sockets, as are those that it starts, and is called
/// `quickvault-net`. It is not a child of the caller, who need not wait for it. The calling thread must be the only one.
/// `arguments` begins with the program's absolute path.
///
/// Returns the descriptor of the socket, which closes on exec, or -1 and errno.
int linux_starter_begin(char *_Nullable const *_Nonnull arguments);

/// The most bytes of variables for linux_starter_run.
enum { linux_starter_limit = 32 << 10 };

/// Starts the program, with one end of a new socket as its descriptors 0 and 1, and no other descriptor. It must end when
/// the other end is closed.
///
/// `variables` are set in its environment: each is `NAME=VALUE` with a zero byte behind.
///
/// Returns the other end, which closes on exec and does not block, or -1 and errno. A program that cannot be started closes
/// its end at once.
int linux_starter_run(int starter, const uint8_t *_Nullable variables, size_t count);

#endif
