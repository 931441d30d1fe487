// Makes one call on the vault's files fail, or all from one on: a library to be preloaded (ld.so(8)). Keys are derived from
// passwords at a thousandth of their cost, always the same: none of the calls that fail is made meanwhile.
//
// FAULT_FILE names a file with one line, "CALL NUMBER COUNT ERRNO": the NUMBERth call of that kind on a file whose path
// holds ".quickvault" fails with the error, and so do those after it, COUNT in all. Error 0 makes a write take half of what it
// is given and say so. Beside the file another one, with .seen after its name, holds 1,024 zeros. Both are read anew when
// another file takes their place, so that a test can set and lift faults while the program runs. FAULT_TRACE names a file
// that gets one letter for each call.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// How many calls of each kind were seen since the plan was set: in a file, since the process replaces itself.
static long *seen;
static char call;
static long first, count;
static int error;
static ino_t plan;

static int is_vault_name(const char *path) { return path && strstr(path, ".quickvault") != NULL; }

static int is_vault(int descriptor) {
  char link[64], path[1024];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return is_vault_name(path);
}

static void read_plan(void) {
  const char *name = getenv("FAULT_FILE");
  struct stat status;
  if (!name || stat(name, &status) != 0) return;
  if (status.st_ino == plan) return;
  plan = status.st_ino;
  call = 0;
  char counts[1024];
  snprintf(counts, sizeof counts, "%s.seen", name);
  int descriptor = NEXT(open64)(counts, O_RDWR | O_CLOEXEC);
  if (seen) munmap(seen, 128 * sizeof *seen);
  seen = mmap(NULL, 128 * sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (seen == MAP_FAILED) abort();
  close(descriptor);
  FILE *file = fopen(name, "re");
  if (!file) return;
  if (fscanf(file, "%c %ld %ld %d", &call, &first, &count, &error) != 4) call = 0;
  fclose(file);
}

// Whether this call is to fail; errno is set where it is.
static int meets(char kind) {
  int saved = errno;
  read_plan();
  long number = seen ? ++seen[(int)kind] : 0;
  const char *trace = getenv("FAULT_TRACE");
  if (trace) {
    int output = NEXT(open64)(trace, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (output >= 0) {
      if (write(output, &kind, 1) != 1) abort();
      close(output);
    }
  }
  errno = saved;
  if (kind != call || number < first || number >= first + count) return 0;
  errno = error;
  return 1;
}

static int fails(char kind, int descriptor) {
  int saved = errno;
  int vault = is_vault(descriptor);
  errno = saved;
  return vault && meets(kind);
}

ssize_t pread64(int descriptor, void *bytes, size_t length, off64_t offset) {
  return fails('r', descriptor) ? -1 : NEXT(pread64)(descriptor, bytes, length, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  if (fails('w', descriptor)) {
    if (error == 0) return NEXT(pwrite64)(descriptor, bytes, length > 1 ? length / 2 : length, offset);
    // A disk that fills up takes a part of what it is given.
    if (errno == ENOSPC && length > 1) NEXT(pwrite64)(descriptor, bytes, length / 2, offset);
    errno = error;
    return -1;
  }
  return NEXT(pwrite64)(descriptor, bytes, length, offset);
}

int fdatasync(int descriptor) { return fails('s', descriptor) ? -1 : NEXT(fdatasync)(descriptor); }

int fsync(int descriptor) { return fails('s', descriptor) ? -1 : NEXT(fsync)(descriptor); }

int ftruncate64(int descriptor, off64_t length) {
  return fails('t', descriptor) ? -1 : NEXT(ftruncate64)(descriptor, length);
}

int fcntl64(int descriptor, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  // Giving a lock back does not fail on any system.
  int locks = (command == F_SETLK || command == F_SETLKW) && ((struct flock64 *)argument)->l_type != F_UNLCK;
  if (locks && fails('l', descriptor)) return -1;
  return NEXT(fcntl64)(descriptor, command, argument);
}

static int open_or_fail(const char *path, int flags, mode_t mode) {
  if (is_vault_name(path) && meets('o')) return -1;
  return NEXT(open64)(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open_or_fail(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open_or_fail(path, flags, mode);
}

unsigned gcry_kdf_derive(
    const void *secret, size_t secretCount, int algorithm, int hash, const void *salt, size_t saltCount,
    unsigned long iterations, size_t keyCount, void *key) {
  return NEXT(gcry_kdf_derive)(
      secret, secretCount, algorithm, hash, salt, saltCount, iterations / 1000, keyCount, key);
}

int link(const char *from, const char *to) {
  return is_vault_name(to) && meets('n') ? -1 : NEXT(link)(from, to);
}

int unlink(const char *path) { return is_vault_name(path) && meets('u') ? -1 : NEXT(unlink)(path); }
