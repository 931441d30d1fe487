#ifndef QUICKVAULT_FLOOR_RECORDS_H
#define QUICKVAULT_FLOOR_RECORDS_H

#include <sqlite3.h>
#include <stddef.h>

/* One sealed card: salt, ciphertext, tag. */
struct record {
  unsigned char *bytes;
  size_t count;
};

struct floor_records {
  sqlite3 *connection;
  sqlite3_stmt *select;
  struct record *items;
  size_t count;
  size_t bytes;
  /* As large as the largest record. */
  unsigned char *buffer;
};

/* Opens a database with the settings that the vault process uses; null where that fails. */
sqlite3 *floor_open_database(const char *path, int flags);

#endif
