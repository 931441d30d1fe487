#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "CFloors.h"
#include "records.h"

struct floor_table {
  sqlite3 *connection;
  sqlite3_stmt *insert;
  unsigned char *bytes;
  size_t count;
  uint64_t state;
};

/* SplitMix64: rows come in no order, as cards do. */
static int64_t next_number(floor_table *table) {
  uint64_t value = table->state += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return (int64_t)(value ^ (value >> 31));
}

static int insert(floor_table *table) {
  sqlite3_bind_int64(table->insert, 1, next_number(table));
  sqlite3_bind_blob(table->insert, 2, table->bytes, (int)table->count, SQLITE_STATIC);
  int code = sqlite3_step(table->insert);
  sqlite3_reset(table->insert);
  return code == SQLITE_DONE ? 0 : -1;
}

static int execute(floor_table *table, const char *text) {
  return sqlite3_exec(table->connection, text, NULL, NULL, NULL);
}

static int fill(floor_table *table, size_t rows) {
  if (execute(table, "PRAGMA journal_mode = WAL; CREATE TABLE card (number INTEGER PRIMARY KEY, sealed BLOB) STRICT") ||
      sqlite3_prepare_v2(table->connection, "INSERT INTO card VALUES (?, ?)", -1, &table->insert, NULL) ||
      execute(table, "BEGIN")) {
    return -1;
  }
  for (size_t i = 0; i < rows; i++) {
    if (insert(table)) return -1;
  }
  return execute(table, "COMMIT") || execute(table, "PRAGMA wal_checkpoint(TRUNCATE)") ? -1 : 0;
}

floor_table *floor_table_make(const char *path, size_t rows, size_t bytes) {
  floor_table *table = calloc(1, sizeof *table);
  if (!table) return NULL;
  table->connection = floor_open_database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  table->bytes = malloc(bytes ? bytes : 1);
  table->count = bytes;
  if (!table->connection || !table->bytes) {
    floor_table_free(table);
    return NULL;
  }
  memset(table->bytes, 0x5A, bytes);
  if (fill(table, rows)) {
    floor_table_free(table);
    return NULL;
  }
  return table;
}

void floor_table_free(floor_table *table) {
  if (!table) return;
  sqlite3_finalize(table->insert);
  sqlite3_close(table->connection);
  free(table->bytes);
  free(table);
}

int64_t floor_table_commit(floor_table *table) {
  int64_t start = floor_now();
  if (insert(table)) return -1;
  return floor_now() - start;
}
