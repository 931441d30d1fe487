#include <gcrypt.h>
#include <time.h>

#include "CFloors.h"
#include "records.h"

enum { key_size = 32, nonce_size = 12, tag_size = 16, salt_size = 16, associated_size = 57 };

int64_t floor_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

int floor_prepare(void) {
  if (!gcry_check_version("1.10.0")) return -1;
  gcry_control(GCRYCTL_NO_FIPS_MODE);
  gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
  gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
  return 0;
}

int64_t floor_pbkdf2(unsigned long iterations) {
  static const char password[] = "correct horse battery staple", salt[] = "sixteen bytes...";
  unsigned char key[key_size];
  int64_t start = floor_now();
  if (gcry_kdf_derive(
          password, sizeof password - 1, GCRY_KDF_PBKDF2, GCRY_MD_SHA256, salt, salt_size, iterations, key_size, key)) {
    return -1;
  }
  return floor_now() - start;
}

/* The tag is computed and compared but not heeded: the key is not the vault's, and the work is the same. */
static int decrypt(gcry_cipher_hd_t cipher, const struct record *record, unsigned char *plaintext) {
  static const unsigned char nonce[nonce_size], associated[associated_size];
  unsigned char key[key_size] = {0};
  const unsigned char *salt = record->bytes;
  for (int i = 0; i < key_size; i++) key[i] = salt[i % salt_size];

  size_t count = record->count - salt_size - tag_size;
  if (gcry_cipher_setkey(cipher, key, key_size) || gcry_cipher_setiv(cipher, nonce, nonce_size) ||
      gcry_cipher_authenticate(cipher, associated, associated_size) ||
      gcry_cipher_decrypt(cipher, plaintext, count, salt + salt_size, count)) {
    return -1;
  }
  gcry_error_t verdict = gcry_cipher_checktag(cipher, salt + salt_size + count, tag_size);
  return verdict == 0 || gcry_err_code(verdict) == GPG_ERR_CHECKSUM ? 0 : -1;
}

int64_t floor_records_decrypt(floor_records *records) {
  gcry_cipher_hd_t cipher;
  if (gcry_cipher_open(&cipher, GCRY_CIPHER_AES256, GCRY_CIPHER_MODE_GCM, 0)) return -1;
  int failures = 0;
  int64_t start = floor_now();
  for (size_t i = 0; i < records->count; i++) {
    struct record *record = &records->items[i];
    if (record->count > salt_size + tag_size) failures += decrypt(cipher, record, records->buffer) != 0;
  }
  int64_t elapsed = floor_now() - start;
  gcry_cipher_close(cipher);
  return failures == 0 ? elapsed : -1;
}
