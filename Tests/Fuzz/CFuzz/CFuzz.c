// Cheap key derivation and random bytes for fuzz targets: they replace the functions of libgcrypt where a fuzzing driver is
// linked. The replay of findings and the tests use libgcrypt itself.
//
// Before the runs begin, PBKDF2 with 100,000 iterations, as in the golden vaults, returns libgcrypt's result and caches it.
// Every other derivation has a small cost. It is deterministic, so that sealed records can be opened again.
#define _GNU_SOURCE
#include <CFuzz.h>

#ifndef FUZZING

void cfuzz_hurry(void) {}

#else

#include <dlfcn.h>
#include <gcrypt.h>
#include <pthread.h>
#include <string.h>

enum { slots = 64, mostSecret = 128, mostSalt = 64, mostKey = 64 };

typedef struct {
  size_t secretCount, saltCount, keyCount;
  unsigned char secret[mostSecret], salt[mostSalt], key[mostKey];
} Derivation;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Derivation known[slots];
static size_t count;
static int isHurried;

void cfuzz_hurry(void) { isHurried = 1; }

static gcry_error_t derive(
    const void *secret, size_t secretCount, int algorithm, int hash, const void *salt, size_t saltCount,
    unsigned long iterations, size_t keyCount, void *key) {
  __typeof__(&gcry_kdf_derive) next = (__typeof__(&gcry_kdf_derive))dlsym(RTLD_NEXT, "gcry_kdf_derive");
  return next(secret, secretCount, algorithm, hash, salt, saltCount, iterations, keyCount, key);
}

gcry_error_t gcry_kdf_derive(
    const void *secret, size_t secretCount, int algorithm, int hash, const void *salt, size_t saltCount,
    unsigned long iterations, size_t keyCount, void *key) {
  if (iterations != 100000 || secretCount > mostSecret || saltCount > mostSalt || keyCount > mostKey)
    return derive(secret, secretCount, algorithm, hash, salt, saltCount, 100, keyCount, key);
  pthread_mutex_lock(&mutex);
  gcry_error_t result = 0;
  for (size_t i = 0; i < count; i++) {
    Derivation *other = &known[i];
    if (other->keyCount == keyCount && other->secretCount == secretCount && other->saltCount == saltCount &&
        memcmp(other->secret, secret, secretCount) == 0 && memcmp(other->salt, salt, saltCount) == 0) {
      memcpy(key, other->key, keyCount);
      goto done;
    }
  }
  unsigned long cost = isHurried ? 100 : iterations;
  result = derive(secret, secretCount, algorithm, hash, salt, saltCount, cost, keyCount, key);
  if (result == 0 && !isHurried && count < slots) {
    Derivation *entry = &known[count++];
    entry->keyCount = keyCount;
    entry->secretCount = secretCount;
    entry->saltCount = saltCount;
    memcpy(entry->secret, secret, secretCount);
    memcpy(entry->salt, salt, saltCount);
    memcpy(entry->key, key, keyCount);
  }
done:
  pthread_mutex_unlock(&mutex);
  return result;
}

// For the strongest ones libgcrypt measures the processor's jitter, three milliseconds each time.
void gcry_randomize(void *bytes, size_t count, enum gcry_random_level level) {
  __typeof__(&gcry_randomize) next = (__typeof__(&gcry_randomize))dlsym(RTLD_NEXT, "gcry_randomize");
  next(bytes, count, level == GCRY_VERY_STRONG_RANDOM ? GCRY_STRONG_RANDOM : level);
}

// The parameters of Argon2 are the length of the key, the iterations, the memory in KiB and the lanes.
gcry_error_t gcry_kdf_open(
    gcry_kdf_hd_t *handle, int algorithm, int variant, const unsigned long *parameters, unsigned int parameterCount,
    const void *secret, size_t secretCount, const void *salt, size_t saltCount, const void *key, size_t keyCount,
    const void *data, size_t dataCount) {
  __typeof__(&gcry_kdf_open) next = (__typeof__(&gcry_kdf_open))dlsym(RTLD_NEXT, "gcry_kdf_open");
  unsigned long small[8];
  if (parameterCount < 3 || parameterCount > 8) return gcry_error(GPG_ERR_INV_VALUE);
  memcpy(small, parameters, parameterCount * sizeof *small);
  small[1] = 1;
  small[2] = 64;
  return next(
      handle, algorithm, variant, small, parameterCount, secret, secretCount, salt, saltCount, key, keyCount, data,
      dataCount);
}

#endif
