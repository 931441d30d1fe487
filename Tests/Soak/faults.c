// A library to preload (ld.so(8)) that makes calls on the vault's files fail. It also makes key derivation a thousand times
// cheaper, because no file call happens during it.
//
// FAULT_FILE names a file with one line, "CALL NUMBER COUNT ERRNO": from the NUMBERth call of that kind on a file whose path
// contains ".quickvault", COUNT calls fail with the error. Error 0 makes a write short by half; error -1 makes it write
// nothing and report success; error -2 kills the process before the call; error -3 lets the call wait until
// the plan is replaced. CALL * stands for every kind. A second file, with .seen after its name, must hold 1,024 zeros. Both are
// read again when they are replaced, so a test can set and clear faults while the program runs. FAULT_TRACE names a file that
// gets a letter for each call.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// The number of calls of each kind since the plan was set, in a file because the process replaces itself.
static long *seen;
static char call;
static long first, count;
static int error;
static struct stat plan;
// A thread that waited and others may read the plan at once.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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
  // The inode number of a deleted file may be used again.
  if (status.st_ino == plan.st_ino && status.st_mtim.tv_nsec == plan.st_mtim.tv_nsec) return;
  plan = status;
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

// Returns whether this call must fail, and sets errno if so.
static int meets(char kind) {
  int saved = errno;
  pthread_mutex_lock(&lock);
  read_plan();
  if (seen && call == '*') kind = call;
  long number = seen ? ++seen[(int)kind] : 0;
  int hits = kind == call && number >= first && number < first + count, planned = error;
  struct stat set = plan, status;
  pthread_mutex_unlock(&lock);
  const char *trace = getenv("FAULT_TRACE");
  if (trace) {
    int output = NEXT(open64)(trace, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (output >= 0) {
      if (NEXT(write)(output, &kind, 1) != 1) abort();
      close(output);
    }
  }
  errno = saved;
  if (!hits) return 0;
  if (planned == -2) kill(getpid(), SIGKILL);
  if (planned == -3) {
    while (stat(getenv("FAULT_FILE"), &status) == 0 && status.st_ino == set.st_ino
           && status.st_mtim.tv_nsec == set.st_mtim.tv_nsec)
      usleep(1000);
    return 0;
  }
  errno = planned;
  return 1;
}

// Returns whether the plan lets calls of this kind wait.
static int stalls(char kind) {
  pthread_mutex_lock(&lock);
  read_plan();
  int waits = call == kind && error == -3;
  pthread_mutex_unlock(&lock);
  return waits;
}

static int fails(char kind, int descriptor) {
  int saved = errno;
  int vault = is_vault(descriptor);
  errno = saved;
  return vault && meets(kind);
}

ssize_t read(int descriptor, void *bytes, size_t length) {
  return fails('r', descriptor) ? -1 : NEXT(read)(descriptor, bytes, length);
}

#define READS_AT(name, offset_type)                                                   \
  ssize_t name(int descriptor, void *bytes, size_t length, offset_type offset) {      \
    return fails('r', descriptor) ? -1 : NEXT(name)(descriptor, bytes, length, offset); \
  }
READS_AT(pread, off_t)
READS_AT(pread64, off64_t)

// The bytes that a failing write still writes: half of them for a short write or a full disk.
static size_t taken(size_t length) { return (error == 0 || error == ENOSPC) && length > 1 ? length / 2 : 0; }

ssize_t write(int descriptor, const void *bytes, size_t length) {
  if (!fails('w', descriptor)) return NEXT(write)(descriptor, bytes, length);
  if (error < 0) return (ssize_t)length;
  if (error == 0) return NEXT(write)(descriptor, bytes, taken(length) ? taken(length) : length);
  if (taken(length)) NEXT(write)(descriptor, bytes, taken(length));
  errno = error;
  return -1;
}

#define WRITES_AT(name, offset_type)                                                            \
  ssize_t name(int descriptor, const void *bytes, size_t length, offset_type offset) {          \
    if (!fails('w', descriptor)) return NEXT(name)(descriptor, bytes, length, offset);          \
    if (error < 0) return (ssize_t)length;                                                      \
    if (error == 0) return NEXT(name)(descriptor, bytes, taken(length) ? taken(length) : length, offset); \
    if (taken(length)) NEXT(name)(descriptor, bytes, taken(length), offset);                    \
    errno = error;                                                                              \
    return -1;                                                                                  \
  }
WRITES_AT(pwrite, off_t)
WRITES_AT(pwrite64, off64_t)

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
  // Releasing a lock never fails.
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

int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
  return is_vault_name(to) && meets('n') ? -1 : NEXT(linkat)(from_directory, from, to_directory, to, flags);
}

int rename(const char *from, const char *to) { return is_vault_name(to) && meets('m') ? -1 : NEXT(rename)(from, to); }

int renameat2(int from_directory, const char *from, int to_directory, const char *to, unsigned flags) {
  return is_vault_name(to) && meets('m') ? -1 : NEXT(renameat2)(from_directory, from, to_directory, to, flags);
}

// Only waits: a failure would say no more than that the file is not there.
int access(const char *path, int mode) {
  if (is_vault_name(path) && stalls('x')) meets('x');
  return NEXT(access)(path, mode);
}

// Only waits, too: without a watch, the program looks at intervals.
int inotify_add_watch(int descriptor, const char *path, uint32_t mask) {
  if (is_vault_name(path) && stalls('i')) meets('i');
  return NEXT(inotify_add_watch)(descriptor, path, mask);
}

DIR *opendir(const char *path) { return is_vault_name(path) && meets('d') ? NULL : NEXT(opendir)(path); }
