#ifndef QUICKVAULT_CFLOORS_H
#define QUICKVAULT_CFLOORS_H

#include <stddef.h>
#include <stdint.h>

/// The floors of the benchmark: work that no vault can avoid, in plain C. Times are nanoseconds of CLOCK_MONOTONIC; -1 means
/// that the work failed.

/// CLOCK_MONOTONIC now, in nanoseconds.
int64_t floor_now(void);

/// Binds the main thread of a process to the core of this thread, or releases it to all cores. Process 0 is this one. Returns 0
/// on success.
int floor_hold_on_one_core(int process);
int floor_release_cores(int process);

/// Initialises libgcrypt; call it once and first. Returns 0 on success.
int floor_prepare(void);

/// Derives 32 bytes from a password with PBKDF2-HMAC-SHA256.
int64_t floor_pbkdf2(unsigned long iterations);

/// The encrypted cards of a vault, in memory.
typedef struct floor_records floor_records;

/// Reads the encrypted cards of a vault file without writing to it; null on failure.
floor_records *_Nullable floor_records_load(const char *_Nonnull path);
void floor_records_free(floor_records *_Nullable records);
/// The number of cards.
size_t floor_records_count(const floor_records *_Nonnull records);
/// The sum of their sizes in bytes.
size_t floor_records_bytes(const floor_records *_Nonnull records);
/// Decrypts each card with AES-256-GCM under its own key, with 57 bytes of associated data.
int64_t floor_records_decrypt(floor_records *_Nonnull records);
/// Copies each card into one reused buffer with memcpy.
int64_t floor_records_copy(floor_records *_Nonnull records);
/// Selects each card from the file, with the settings of the vault process.
int64_t floor_records_select(floor_records *_Nonnull records);

/// A database with a table of rows like encrypted cards.
typedef struct floor_table floor_table;

/// Makes a table in a new file with a number of rows of a size, in WAL mode with synchronous=FULL; null on failure.
floor_table *_Nullable floor_table_make(const char *_Nonnull path, size_t rows, size_t bytes);
void floor_table_free(floor_table *_Nullable table);
/// Inserts and commits one row.
int64_t floor_table_commit(floor_table *_Nonnull table);

/// A blob of the size of an attachment, and a table for it.
typedef struct floor_content floor_content;

/// Makes a table in a new file, in WAL mode with synchronous=FULL; the bytes must stay valid. Null on failure.
floor_content *_Nullable floor_content_make(const char *_Nonnull path, const void *_Nonnull bytes, size_t count);
void floor_content_free(floor_content *_Nullable content);
/// Encrypts the bytes with AES-256-GCM and commits them as one row, which is then deleted.
int64_t floor_content_store(floor_content *_Nonnull content);

#endif
