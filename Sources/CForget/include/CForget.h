#ifndef QUICKVAULT_CFORGET_H
#define QUICKVAULT_CFORGET_H

/// From now on all memory is zeroed when it is freed, by Swift or by a library.
///
/// This module defines free(3) and realloc(3) under their own names, so that a program that links it calls them before those
/// of the C library or its replacement, which do the rest. Under a sanitizer, which defines free(3) itself,
/// this does nothing. Stacks are not freed and therefore not zeroed.
void zero_freed_memory(void);

#endif
