/* SQLite's C interface, and the few parts of it that Swift cannot import: variadic functions and macros. */
#ifndef QUICKVAULT_CSQLITE_SHIM_H
#define QUICKVAULT_CSQLITE_SHIM_H

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* open(2) for SQLite, which never waits: under the name of a journal somebody may have put a FIFO or a device, and SQLite looks
   for journals by name. What is neither a file nor a directory is refused; SQLite takes random numbers from /dev. */
static inline int csqlite_open(const char *path, int flags, int mode) {
  struct stat status;
  int descriptor = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
  if (descriptor < 0 || strncmp(path, "/dev/", 5) == 0) return descriptor;
  if (fstat(descriptor, &status) == 0 && (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) return descriptor;
  close(descriptor);
  errno = EACCES;
  return -1;
}

/* Makes SQLite open files with csqlite_open. */
static inline void csqlite_open_files_only(void) {
  sqlite3_vfs *system = sqlite3_vfs_find(0);
  if (system == 0 || system->iVersion < 3) return;
  system->xSetSystemCall(system, "open", (sqlite3_syscall_ptr)csqlite_open);
}

/* Turns off SQLite's count of the memory that it has, before SQLite starts. Nobody asks for it, and every allocation of every
   thread would wait for its one lock. Refused once SQLite has started, which does no harm. */
static inline void csqlite_disable_memory_statistics(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Sets a boolean SQLITE_DBCONFIG option; *result receives the setting in force afterwards. */
static inline int csqlite_set_option(sqlite3 *connection, int option, int value, int *result) {
  return sqlite3_db_config(connection, option, value, result);
}

/* Binds a copy of the bytes. A null or empty range binds an empty blob, not NULL. */
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  if (bytes == 0 || count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* Binds the bytes where they are, which must stay there until the statement's bindings are cleared. */
static inline int csqlite_bind_blob_in_place(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  if (bytes == 0 || count == 0) return sqlite3_bind_zeroblob(statement, index, 0);
  return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_STATIC);
}

/* Binds a copy of UTF-8 text. A null or empty range binds an empty text, not NULL. */
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return sqlite3_bind_text(
      statement, index, bytes == 0 ? "" : (const char *)bytes, bytes == 0 ? 0 : count, SQLITE_TRANSIENT);
}

/* Reads the database file itself, below pages, locks and the write-ahead log, through SQLite's own descriptor.
   A descriptor of the caller's own would do harm: closing it drops the POSIX locks of every connection that the
   process has on the file (https://www.sqlite.org/howtocorrupt.html, 2.2). */
static inline int csqlite_read_raw(sqlite3 *connection, void *buffer, int count, sqlite3_int64 offset) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  return file->pMethods->xRead(file, buffer, count, offset);
}

/* Reads the write-ahead log through SQLite's own descriptor: the log that is open, whatever its name leads to by now.
   What is beyond its end reads as zeros, with SQLITE_IOERR_SHORT_READ. */
static inline int csqlite_read_log(sqlite3 *connection, void *buffer, int count, sqlite3_int64 offset) {
  sqlite3_file *file = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file);
  if (code != SQLITE_OK) return code;
  if (file == 0 || file->pMethods == 0) return SQLITE_CANTOPEN;
  return file->pMethods->xRead(file, buffer, count, offset);
}

enum { csqlite_mark_words = 6 };

/* Copies the head of the index of the write-ahead log, 48 bytes, which every commit of every process changes
   (https://www.sqlite.org/walformat.html, 2.1), and which every connection that has read once has mapped. There is no system
   call in it. Returns 0 where it cannot be told: the head is just being written, or is of another version. */
static inline int csqlite_mark(sqlite3 *connection, sqlite3_uint64 *mark) {
  sqlite3_file *file = 0;
  volatile void *index = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  if (file == 0 || file->pMethods == 0 || file->pMethods->iVersion < 2) return 0;
  if (file->pMethods->xShmMap(file, 0, 32768, 0, &index) != SQLITE_OK || index == 0) return 0;
  /* A writer writes the second copy first. */
  const volatile sqlite3_uint64 *head = index;
  for (int i = 0; i < csqlite_mark_words; i++) mark[i] = head[i];
  file->pMethods->xShmBarrier(file);
  for (int i = 0; i < csqlite_mark_words; i++) {
    if (head[csqlite_mark_words + i] != mark[i]) return 0;
  }
  return *(const unsigned *)mark == 3007000 && ((const unsigned char *)mark)[12] == 1;
}

/* The system's error number of the last failed call on the write-ahead log or, when which is SQLITE_FCNTL_FILE_POINTER,
   on the database. sqlite3_system_errno does not tell it after a rollback has made system calls of its own. */
static inline int csqlite_last_errno(sqlite3 *connection, int which) {
  sqlite3_file *file = 0;
  int number = 0;
  if (sqlite3_file_control(connection, "main", which, &file) != SQLITE_OK) return 0;
  if (file == 0 || file->pMethods == 0) return 0;
  if (file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &number) != SQLITE_OK) return 0;
  return number;
}

/* Whether the open file is no longer the one under its name: 1 or 0, or -1 where SQLite cannot tell. */
static inline int csqlite_has_moved(sqlite3 *connection) {
  int moved = 0;
  int code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
  return code == SQLITE_OK ? moved != 0 : -1;
}

#endif
