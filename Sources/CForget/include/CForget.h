#ifndef QUICKVAULT_CFORGET_H
#define QUICKVAULT_CFORGET_H

/// From now on memory is zeroed when it is freed, whoever frees it: what Swift held, what a library held.
///
/// free(3) and realloc(3) stand in this room under their own names, so that in a program that links it they come before those
/// of the C library, or of whatever takes its place, which do the rest. Under a sanitizer, which has a free(3) of its own,
/// this does nothing. What lies on a stack is not freed and so not zeroed.
void forget_freed_memory(void);

#endif
