#include <gcrypt.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "CFloors.h"
#include "records.h"

struct floor_content {
  sqlite3 *connection;
  sqlite3_stmt *insert;
  gcry_cipher_hd_t cipher;
  const unsigned char *bytes;
  unsigned char *sealed;
  size_t count;
};

enum { tag_size = 16 };

static int prepare(floor_content *content, const char *path) {
  static const unsigned char key[32] = {7};
  content->connection = floor_open_database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
  content->sealed = malloc(content->count + tag_size);
  if (!content->connection || !content->sealed) return -1;
  if (sqlite3_exec(
          content->connection,
          "PRAGMA journal_mode = WAL; CREATE TABLE content (number INTEGER PRIMARY KEY, sealed BLOB) STRICT", NULL,
          NULL, NULL)) {
    return -1;
  }
  if (sqlite3_prepare_v2(content->connection, "INSERT INTO content VALUES (1, ?)", -1, &content->insert, NULL)) return -1;
  if (gcry_cipher_open(&content->cipher, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_GCM, 0)) return -1;
  return gcry_cipher_setkey(content->cipher, key, sizeof key) ? -1 : 0;
}

floor_content *floor_content_make(const char *path, const void *bytes, size_t count) {
  floor_content *content = calloc(1, sizeof *content);
  if (!content) return NULL;
  content->bytes = bytes;
  content->count = count;
  if (prepare(content, path)) {
    floor_content_free(content);
    return NULL;
  }
  return content;
}

void floor_content_free(floor_content *content) {
  if (!content) return;
  if (content->cipher) gcry_cipher_close(content->cipher);
  sqlite3_finalize(content->insert);
  sqlite3_close(content->connection);
  free(content->sealed);
  free(content);
}

static int seal(floor_content *content) {
  static const unsigned char nonce[12];
  return gcry_cipher_setiv(content->cipher, nonce, sizeof nonce) ||
         gcry_cipher_encrypt(content->cipher, content->sealed, content->count, content->bytes, content->count) ||
         gcry_cipher_gettag(content->cipher, content->sealed + content->count, tag_size);
}

static int commit(floor_content *content) {
  sqlite3_bind_blob(content->insert, 1, content->sealed, (int)(content->count + tag_size), SQLITE_STATIC);
  int code = sqlite3_step(content->insert);
  sqlite3_reset(content->insert);
  return code == SQLITE_DONE ? 0 : -1;
}

int64_t floor_content_store(floor_content *content) {
  int64_t start = floor_now();
  if (seal(content) || commit(content)) return -1;
  int64_t elapsed = floor_now() - start;
  return sqlite3_exec(content->connection, "DELETE FROM content", NULL, NULL, NULL) ? -1 : elapsed;
}
