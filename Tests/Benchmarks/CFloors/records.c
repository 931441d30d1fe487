#include "records.h"

#include <stdlib.h>
#include <string.h>

#include "CFloors.h"

sqlite3 *floor_open_database(const char *path, int flags) {
  sqlite3 *connection = NULL;
  const char *settings =
      "PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON;"
      "PRAGMA cache_size = -2048; PRAGMA journal_size_limit = 4194304; PRAGMA mmap_size = 0;";
  if (sqlite3_open_v2(path, &connection, flags, NULL) || sqlite3_exec(connection, settings, NULL, NULL, NULL)) {
    sqlite3_close(connection);
    return NULL;
  }
  return connection;
}

/* Makes room for one more item; 0 on success. */
static int make_room(floor_records *records, size_t *capacity) {
  if (records->count < *capacity) return 0;
  size_t larger = *capacity ? *capacity * 2 : 1024;
  struct record *items = realloc(records->items, larger * sizeof *items);
  if (!items) return -1;
  records->items = items;
  *capacity = larger;
  return 0;
}

static int load_all(floor_records *records) {
  size_t capacity = 0, largest = 0;
  int code;
  while ((code = sqlite3_step(records->select)) == SQLITE_ROW) {
    size_t count = (size_t)sqlite3_column_bytes(records->select, 0);
    unsigned char *bytes = malloc(count ? count : 1);
    if (!bytes || make_room(records, &capacity)) {
      free(bytes);
      return -1;
    }
    if (count) memcpy(bytes, sqlite3_column_blob(records->select, 0), count);
    records->items[records->count++] = (struct record){bytes, count};
    records->bytes += count;
    if (count > largest) largest = count;
  }
  sqlite3_reset(records->select);
  records->buffer = malloc(largest ? largest : 1);
  return code == SQLITE_DONE && records->buffer ? 0 : -1;
}

floor_records *floor_records_load(const char *path) {
  floor_records *records = calloc(1, sizeof *records);
  if (!records) return NULL;
  const char *query = "SELECT sealed FROM card ORDER BY number";
  records->connection = floor_open_database(path, SQLITE_OPEN_READWRITE);
  if (!records->connection || sqlite3_prepare_v2(records->connection, query, -1, &records->select, NULL) ||
      load_all(records)) {
    floor_records_free(records);
    return NULL;
  }
  return records;
}

void floor_records_free(floor_records *records) {
  if (!records) return;
  for (size_t i = 0; i < records->count; i++) free(records->items[i].bytes);
  free(records->items);
  free(records->buffer);
  sqlite3_finalize(records->select);
  sqlite3_close(records->connection);
  free(records);
}

size_t floor_records_count(const floor_records *records) { return records->count; }

size_t floor_records_bytes(const floor_records *records) { return records->bytes; }

int64_t floor_records_copy(floor_records *records) {
  int64_t start = floor_now();
  for (size_t i = 0; i < records->count; i++) {
    memcpy(records->buffer, records->items[i].bytes, records->items[i].count);
    /* Keeps the compiler from leaving out a copy that the next one covers. */
    __asm__ volatile("" : : "r"(records->buffer) : "memory");
  }
  return floor_now() - start;
}

int64_t floor_records_select(floor_records *records) {
  size_t bytes = 0;
  int code;
  int64_t start = floor_now();
  while ((code = sqlite3_step(records->select)) == SQLITE_ROW) {
    if (!sqlite3_column_blob(records->select, 0)) break;
    bytes += (size_t)sqlite3_column_bytes(records->select, 0);
  }
  sqlite3_reset(records->select);
  int64_t elapsed = floor_now() - start;
  return code == SQLITE_DONE && bytes == records->bytes ? elapsed : -1;
}
