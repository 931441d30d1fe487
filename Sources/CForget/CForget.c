#define _GNU_SOURCE
#include "CForget.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_UNDER_SANITIZER
#endif
#endif

#ifdef IS_UNDER_SANITIZER

void zero_freed_memory(void) {}

#else

#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Free)(void *);

static Free next_free;
static int forgets;

/* The loader and the libraries free memory before this program begins, on one thread. */
static Free look_up(void) {
  Free found = (Free)dlsym(RTLD_NEXT, "free");
  if (!found) abort();
  __atomic_store_n(&next_free, found, __ATOMIC_RELAXED);
  return found;
}

void zero_freed_memory(void) { __atomic_store_n(&forgets, 1, __ATOMIC_RELAXED); }

void free(void *block) {
  if (!block) return;
  if (__atomic_load_n(&forgets, __ATOMIC_RELAXED)) memset(block, 0, malloc_usable_size(block));
  Free next = __atomic_load_n(&next_free, __ATOMIC_RELAXED);
  if (!next) next = look_up();
  next(block);
}

/* The library's own would free a block that it moves without a word. */
void *realloc(void *block, size_t size) {
  if (!block) return malloc(size);
  if (size == 0) {
    free(block);
    return NULL;
  }
  size_t room = malloc_usable_size(block);
  if (size <= room && size >= room / 2) return block;
  void *moved = malloc(size);
  if (!moved) return NULL;
  memcpy(moved, block, size < room ? size : room);
  free(block);
  return moved;
}

#endif
