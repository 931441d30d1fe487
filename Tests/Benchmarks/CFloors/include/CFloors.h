#ifndef QUICKVAULT_CFLOORS_H
#define QUICKVAULT_CFLOORS_H

#include <stddef.h>
#include <stdint.h>

/// What the work costs that no vault can do without, each by itself and in plain C. Times are nanoseconds of
/// CLOCK_MONOTONIC; every function that gives one gives -1 where the work failed.

/// CLOCK_MONOTONIC now, in nanoseconds.
int64_t floor_now(void);

/// Holds a process's first thread on the core that this one runs on, or lets it run on all of them; 0 is this process. 0 on
/// success.
int floor_hold_on_one_core(int process);
int floor_release_cores(int process);

/// Makes libgcrypt ready; to be called once, before anything else. 0 on success.
int floor_prepare(void);

/// PBKDF2-HMAC-SHA256 of one password, 32 bytes.
int64_t floor_pbkdf2(unsigned long iterations);

/// The sealed cards of a vault, held in memory.
typedef struct floor_records floor_records;

/// Reads the sealed cards of a vault's file, which is not written to; null where that fails.
floor_records *_Nullable floor_records_load(const char *_Nonnull path);
void floor_records_free(floor_records *_Nullable records);
/// How many there are.
size_t floor_records_count(const floor_records *_Nonnull records);
/// The sum of their sizes in bytes.
size_t floor_records_bytes(const floor_records *_Nonnull records);
/// AES-256-GCM over each of them, each under a key of its own and with 57 bytes of associated data.
int64_t floor_records_decrypt(floor_records *_Nonnull records);
/// memcpy of each of them into one reused buffer.
int64_t floor_records_copy(floor_records *_Nonnull records);
/// A SELECT of each of them from the file, with the settings of the vault process.
int64_t floor_records_select(floor_records *_Nonnull records);

/// A table of rows like sealed cards, and nothing else.
typedef struct floor_table floor_table;

/// Makes a table in a new file with so many rows of so many bytes, in WAL mode with synchronous=FULL; null where that
/// fails.
floor_table *_Nullable floor_table_make(const char *_Nonnull path, size_t rows, size_t bytes);
void floor_table_free(floor_table *_Nullable table);
/// One row inserted and committed.
int64_t floor_table_commit(floor_table *_Nonnull table);

/// A content as large as an attachment's, and a table for it.
typedef struct floor_content floor_content;

/// Makes a table in a new file, in WAL mode with synchronous=FULL, for bytes that stay where they are; null where that
/// fails.
floor_content *_Nullable floor_content_make(const char *_Nonnull path, const void *_Nonnull bytes, size_t count);
void floor_content_free(floor_content *_Nullable content);
/// AES-256-GCM over the bytes, and one commit of a row of them, which is deleted again afterwards.
int64_t floor_content_store(floor_content *_Nonnull content);

#endif
