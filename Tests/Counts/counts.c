// A library to preload (ld.so(8)) that counts what a program asks of the system: system calls, allocations and their bytes, writes
// to files at a place, and syncs. COUNTS_FILE names a file of 64-bit numbers in this order, which goes on when the program replaces
// itself, and which another process can read at any time.
//
// The calls are those that the program makes through the C library by name. What is inside of the C library is not counted.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

enum { CALLS, ALLOCATIONS, BYTES, WRITES, SYNCS, KINDS };

static atomic_long nowhere[KINDS];
static atomic_long *counts = nowhere;

static void add(int kind, long number) { atomic_fetch_add_explicit(&counts[kind], number, memory_order_relaxed); }

__attribute__((constructor)) static void begin(void) {
  const char *name = getenv("COUNTS_FILE");
  int file = name ? open(name, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *shared = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (shared != MAP_FAILED) counts = shared;
  close(file);
}

// Allocations. The C library's own names of its functions are needed, because dlsym(3) allocates.
void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);

static void add_bytes(size_t size) { add(ALLOCATIONS, 1), add(BYTES, (long)size); }

void *malloc(size_t size) { return add_bytes(size), __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return add_bytes(number * size), __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return add_bytes(size), __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) { return add_bytes(size), __libc_memalign(alignment, size); }
int posix_memalign(void **result, size_t alignment, size_t size) {
  add_bytes(size);
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}

#define CALL(kind, type, name, parameters, arguments) \
  type name parameters { \
    static type (*next) parameters; \
    if (!next) next = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
    add(CALLS, 1); \
    if (kind != CALLS) add(kind, 1); \
    return next arguments; \
  }

CALL(CALLS, ssize_t, read, (int f, void *b, size_t n), (f, b, n))
CALL(CALLS, ssize_t, write, (int f, const void *b, size_t n), (f, b, n))
CALL(CALLS, ssize_t, readv, (int f, const struct iovec *v, int n), (f, v, n))
CALL(CALLS, ssize_t, writev, (int f, const struct iovec *v, int n), (f, v, n))
CALL(CALLS, ssize_t, pread64, (int f, void *b, size_t n, off64_t at), (f, b, n, at))
CALL(WRITES, ssize_t, pwrite64, (int f, const void *b, size_t n, off64_t at), (f, b, n, at))
CALL(SYNCS, int, fsync, (int f), (f))
CALL(SYNCS, int, fdatasync, (int f), (f))
CALL(CALLS, int, ftruncate64, (int f, off64_t n), (f, n))
CALL(CALLS, off64_t, lseek64, (int f, off64_t n, int from), (f, n, from))
CALL(CALLS, int, close, (int f), (f))
CALL(CALLS, int, poll, (struct pollfd *p, nfds_t n, int t), (p, n, t))
CALL(CALLS, int, ppoll, (struct pollfd *p, nfds_t n, const struct timespec *t, const sigset_t *s), (p, n, t, s))
CALL(CALLS, int, epoll_wait, (int f, struct epoll_event *e, int n, int t), (f, e, n, t))
CALL(CALLS, ssize_t, recv, (int f, void *b, size_t n, int o), (f, b, n, o))
CALL(CALLS, ssize_t, send, (int f, const void *b, size_t n, int o), (f, b, n, o))
CALL(CALLS, ssize_t, recvmsg, (int f, struct msghdr *m, int o), (f, m, o))
CALL(CALLS, ssize_t, sendmsg, (int f, const struct msghdr *m, int o), (f, m, o))
CALL(CALLS, int, stat64, (const char *p, struct stat64 *s), (p, s))
CALL(CALLS, int, lstat64, (const char *p, struct stat64 *s), (p, s))
CALL(CALLS, int, fstat64, (int f, struct stat64 *s), (f, s))
CALL(CALLS, int, stat, (const char *p, struct stat *s), (p, s))
CALL(CALLS, int, lstat, (const char *p, struct stat *s), (p, s))
CALL(CALLS, int, fstat, (int f, struct stat *s), (f, s))
CALL(CALLS, int, fstatat, (int d, const char *p, struct stat *s, int o), (d, p, s, o))
CALL(CALLS, int, access, (const char *p, int m), (p, m))
CALL(CALLS, int, unlink, (const char *p), (p))
CALL(CALLS, int, mprotect, (void *a, size_t n, int p), (a, n, p))
CALL(CALLS, int, madvise, (void *a, size_t n, int o), (a, n, o))
CALL(CALLS, void *, mmap, (void *a, size_t n, int p, int o, int f, off_t at), (a, n, p, o, f, at))
CALL(CALLS, void *, mmap64, (void *a, size_t n, int p, int o, int f, off64_t at), (a, n, p, o, f, at))
CALL(CALLS, int, munmap, (void *a, size_t n), (a, n))
CALL(CALLS, int, mlock, (const void *a, size_t n), (a, n))
CALL(CALLS, int, munlock, (const void *a, size_t n), (a, n))
CALL(CALLS, int, timerfd_settime, (int f, int o, const struct itimerspec *t, struct itimerspec *old), (f, o, t, old))
CALL(CALLS, ssize_t, getrandom, (void *b, size_t n, unsigned o), (b, n, o))

// Those with a third argument that may be missing.
#define WITH_MODE(name, first, second, given, parameter) \
  int name(first, second, ...) { \
    static int (*next)(first, second, ...); \
    if (!next) next = (int (*)(first, second, ...))dlsym(RTLD_NEXT, #name); \
    va_list list; \
    va_start(list, parameter); \
    long mode = va_arg(list, long); \
    va_end(list); \
    add(CALLS, 1); \
    return next(given, parameter, mode); \
  }

WITH_MODE(open, const char *path, int flags, path, flags)
WITH_MODE(open64, const char *path, int flags, path, flags)
WITH_MODE(fcntl, int file, int command, file, command)
WITH_MODE(fcntl64, int file, int command, file, command)
WITH_MODE(ioctl, int file, unsigned long request, file, request)

int openat(int directory, const char *path, int flags, ...) {
  static int (*next)(int, const char *, int, ...);
  if (!next) next = (int (*)(int, const char *, int, ...))dlsym(RTLD_NEXT, "openat");
  va_list list;
  va_start(list, flags);
  mode_t mode = va_arg(list, mode_t);
  va_end(list);
  add(CALLS, 1);
  return next(directory, path, flags, mode);
}
