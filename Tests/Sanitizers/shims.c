// Calls every C function of the vault process with usual and extreme arguments, built with sanitizers.
//
// The tests of the imaging helper run its C code under the same sanitizers (see run).
#define _GNU_SOURCE
#include "../../Sources/CGcrypt/shim.h"
#include "../../Sources/CSQLite/shim.h"
#include "CLinux.h"
#include "CPinyin.h"
#include "CResources.h"
#include "CSearch.h"
#include "CWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUIRE(condition)                                                            \
  do {                                                                                \
    if (!(condition)) {                                                               \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);         \
      exit(1);                                                                        \
    }                                                                                 \
  } while (0)

static int is_readable(int descriptor) {
  struct pollfd entry = {descriptor, POLLIN, 0};
  return poll(&entry, 1, 60000) == 1 && (entry.revents & POLLIN);
}

static void try_descriptors(void) {
  int event = linux_eventfd(), timer = linux_boot_timer(), signals = linux_signal_descriptor();
  REQUIRE(event >= 0 && timer >= 0 && signals >= 0);
  REQUIRE(linux_boot_timer_set(timer, 0, 1) == 0 && is_readable(timer));
  REQUIRE(linux_boot_timer_set(timer, INT64_MAX, 999999999) == 0);
  REQUIRE(linux_boot_timer_set(timer, 0, 0) == 0);
  REQUIRE(linux_boot_timer_set(timer, -1, 0) == -1 && linux_boot_timer_set(-1, 0, 0) == -1);
  REQUIRE(linux_next_signal(signals) == 0);
  REQUIRE(raise(SIGTERM) == 0 && is_readable(signals) && linux_next_signal(signals) == SIGTERM);
  int process = linux_process_descriptor(getpid());
  REQUIRE(process >= 0 && linux_process_descriptor(-1) == -1);
  int all[] = {event, timer, signals, process};
  for (int index = 0; index < 4; index++) close(all[index]);
}

static void try_files(void) {
  char directory[] = "/tmp/quickvault-shims-XXXXXX", first[64], second[64];
  REQUIRE(mkdtemp(directory));
  snprintf(first, sizeof first, "%s/first", directory);
  snprintf(second, sizeof second, "%s/second", directory);
  int file = linux_open_nameless(directory);
  if (file >= 0) {
    REQUIRE(linux_name(file, first) == 0 && linux_name(file, first) == -1 && errno == EEXIST);
    close(file);
  } else {
    // Not every file system supports unnamed files.
    REQUIRE(errno == EOPNOTSUPP || errno == EISDIR);
    file = open(first, O_CREAT | O_WRONLY, 0600);
    close(file);
  }
  REQUIRE(linux_rename_to_new(first, second) == 0 && linux_rename_to_new(first, second) == -1 && errno == ENOENT);
  file = linux_memory_file("shims");
  REQUIRE(file >= 0 && write(file, "x", 1) == 1 && close(file) == 0);
  REQUIRE(linux_open_nameless("/nowhere/at/all") == -1 && linux_name(-1, first) == -1);
  REQUIRE(unlink(second) == 0 && rmdir(directory) == 0);
}

static void try_sandbox(void) {
  // In a child: afterwards not even the leak detection may trace it.
  pid_t child = fork();
  if (child == 0) {
    char *programs[] = {"/nowhere/at/all", "/bin/true", NULL};
    REQUIRE(linux_restrict_files(programs) == 0 || errno == ENOSYS || errno == EOPNOTSUPP);
    REQUIRE(linux_restrict_calls() == 0 && socket(AF_INET, SOCK_STREAM, 0) == -1 && errno == EPERM);
    _exit(0);
  }
  int status;
  REQUIRE(child > 0 && waitpid(child, &status, 0) == child && status == 0);
}

static void try_memory(void) {
  REQUIRE(linux_contains("abcabd", 6, "abd", 3) && !linux_contains("abcabd", 5, "abd", 3));
  REQUIRE(!linux_contains(NULL, 0, "a", 1) && linux_contains("a", 1, "", 0));
  REQUIRE(linux_memory_lock_limit() >= -1);
  linux_return_freed_memory();
  linux_overwrite_stack();
  REQUIRE(linux_raise_descriptor_limit() == 0 && linux_forbid_core_files() == 0 && linux_forbid_dumping() == 0);
}

static void try_workers(void) {
  char *arguments[] = {"cat", NULL}, *environment[] = {NULL};
  struct linux_worker worker;
  REQUIRE(linux_worker_start(&worker, "/nowhere/at/all", arguments, environment) == ENOENT);
  REQUIRE(linux_worker_start(&worker, "/bin/cat", arguments, environment) == 0);
  char byte = 0;
  REQUIRE(write(worker.input, "y", 1) == 1 && is_readable(worker.output) && read(worker.output, &byte, 1) == 1 && byte == 'y');
  close(worker.input);
  REQUIRE(is_readable(worker.watch) && linux_worker_end(worker.watch) == 0);
  int all[] = {worker.watch, worker.output, worker.errors};
  for (int index = 0; index < 3; index++) close(all[index]);
  REQUIRE(linux_worker_end(-1) == -1);
}

static void try_readings(void) {
  size_t readings = 0;
  for (uint32_t character = 0; character < 0x31000; character++) {
    uint16_t set = quickvault_pinyin_rare_set(character);
    for (size_t number = 0; number < quickvault_pinyin_reading_count(set); number++)
      readings += quickvault_pinyin_reading(set, number) != 0;
  }
  for (size_t set = 0; set <= UINT16_MAX; set++) {
    size_t count = quickvault_pinyin_reading_count((uint16_t)set);
    REQUIRE(quickvault_pinyin_reading((uint16_t)set, count) == 0);
    for (size_t number = 0; number < count; number++) readings += quickvault_pinyin_reading((uint16_t)set, number) != 0;
  }
  for (size_t number = 0; number <= quickvault_pinyin_syllable_count(); number++)
    readings += quickvault_pinyin_syllable(number) != 0;
  REQUIRE(readings > 1000 && quickvault_pinyin_syllable(SIZE_MAX) == 0);
  // Every character whose UTF-8 form has three bytes and begins with E4 to E9.
  const uint16_t *sets = quickvault_pinyin_characters();
  const uint32_t *initials = quickvault_pinyin_initials();
  uint32_t letters = 0;
  for (int32_t offset = -0x2080; offset < 0x5200; offset++) {
    REQUIRE(sets[offset] < quickvault_pinyin_set_count());
    letters |= initials[sets[offset]];
  }
  REQUIRE(letters != 0);
}

static void try_documents(void) {
  const uint8_t *bytes = quickvault_openrpc();
  size_t count = quickvault_openrpc_count();
  REQUIRE(count > 1000 && bytes[0] == '{' && linux_contains(bytes, count, "openrpc", 7));
  count = quickvault_licence_count();
  REQUIRE(count > 1000 && linux_contains(quickvault_licence(), count, "IEND", 4));
}

static void try_search(void) {
  // Every length around the 32 bytes of one step, each in a buffer of exactly that size.
  for (size_t count = 0; count <= 100; count++) {
    uint8_t *bytes = malloc(count ? count : 1);
    memset(bytes, '.', count ? count : 1);
    REQUIRE(!quickvault_may_fold(bytes, count) && quickvault_contains(bytes, count, NULL, 0));
    for (size_t place = 0; place < count; place++) {
      bytes[place] = 0xC3;
      REQUIRE(quickvault_may_fold(bytes, count));
      bytes[place] = '.';
    }
    for (size_t length = 1; length <= 40; length++) {
      uint8_t *word = malloc(length);
      memset(word, '.', length);
      REQUIRE(quickvault_contains(bytes, count, word, length) == (length <= count));
      word[length - 1] = 'z';
      REQUIRE(!quickvault_contains(bytes, count, word, length));
      for (size_t end = length; end <= count; end++) {
        bytes[end - 1] = 'Z';
        REQUIRE(quickvault_contains(bytes, count, word, length));
        bytes[end - 1] = '.';
      }
      free(word);
    }
    free(bytes);
  }
  REQUIRE(!quickvault_may_fold(NULL, 0) && quickvault_contains(NULL, 0, NULL, 0));
}

static void try_database(void) {
  csqlite_disable_memory_statistics();
  sqlite3 *connection;
  sqlite3_stmt *statement;
  REQUIRE(sqlite3_open(":memory:", &connection) == SQLITE_OK);
  int result = -1;
  REQUIRE(csqlite_set_option(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, &result) == SQLITE_OK && result == 1);
  REQUIRE(sqlite3_prepare_v2(connection, "SELECT ?1, ?2, ?3, ?4, ?5", -1, &statement, NULL) == SQLITE_OK);
  REQUIRE(csqlite_bind_blob(statement, 1, NULL, 0) == SQLITE_OK && csqlite_bind_blob(statement, 2, "ab", 2) == SQLITE_OK);
  REQUIRE(csqlite_bind_blob_in_place(statement, 3, "c", 0) == SQLITE_OK);
  REQUIRE(csqlite_bind_text(statement, 4, NULL, 0) == SQLITE_OK && csqlite_bind_text(statement, 5, "d", 1) == SQLITE_OK);
  REQUIRE(csqlite_bind_text(statement, 6, "d", 1) == SQLITE_RANGE);
  REQUIRE(sqlite3_step(statement) == SQLITE_ROW && sqlite3_column_bytes(statement, 1) == 2);
  REQUIRE(sqlite3_column_type(statement, 0) == SQLITE_BLOB && sqlite3_column_type(statement, 3) == SQLITE_TEXT);
  REQUIRE(sqlite3_finalize(statement) == SQLITE_OK);
  char byte;
  REQUIRE(csqlite_read_raw(connection, &byte, 1, 0) != SQLITE_OK);
  REQUIRE(csqlite_has_moved(connection) <= 0 && csqlite_last_errno(connection, SQLITE_FCNTL_FILE_POINTER) == 0);
  REQUIRE(sqlite3_close(connection) == SQLITE_OK);
}

static void try_ciphers(void) {
  REQUIRE(cgcrypt_prefer_system_random() == 0 && cgcrypt_leave_fips_mode() == 0);
  REQUIRE(gcry_check_version("1.10.0") && cgcrypt_silence_secure_memory_warning() == 0);
  cgcrypt_start_secure_memory(65536);
  REQUIRE(cgcrypt_finish_initialization() == 0);
  unsigned char key[200], code[32], expected[32];
  size_t lengths[] = {1, 63, 64, 65, 200};
  gcry_randomize(key, sizeof key, GCRY_STRONG_RANDOM);
  for (int index = 0; index < 5; index++) {
    for (size_t count = 0; count < 130; count += 13) {
      // A buffer of exactly the needed size, so that an overrun is detected.
      unsigned char *state = malloc(cgcrypt_hmac_state), *message = malloc(count ? count : 1);
      memset(message, 7, count ? count : 1);
      gcry_mac_hd_t mac;
      size_t length = sizeof expected;
      REQUIRE(gcry_mac_open(&mac, GCRY_MAC_HMAC_SHA256, 0, NULL) == 0);
      REQUIRE(gcry_mac_setkey(mac, key, lengths[index]) == 0 && gcry_mac_write(mac, message, count) == 0);
      REQUIRE(gcry_mac_read(mac, expected, &length) == 0);
      gcry_mac_close(mac);
      cgcrypt_hmac_prepare(state, key, lengths[index]);
      REQUIRE(cgcrypt_hmac(state, count ? message : NULL, count, code) == 0);
      REQUIRE(cgcrypt_equal(code, expected, 32));
      code[31] ^= 1;
      REQUIRE(!cgcrypt_equal(code, expected, 32) && cgcrypt_equal(code, expected, 31) && cgcrypt_equal(code, expected, 0));
      free(state);
      free(message);
    }
  }
}

int main(void) {
  try_descriptors();
  try_files();
  try_workers();
  try_readings();
  try_documents();
  try_search();
  try_database();
  try_ciphers();
  try_sandbox();
  try_memory();
  return 0;
}
