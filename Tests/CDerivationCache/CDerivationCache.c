// Takes the place of libgcrypt's gcry_kdf_derive in the test process, to compute each key once.
//
// A test unlocks a vault again and again, in sessions that stand for several processes and machines. With the 100,000 iterations
// that the format demands, those derivations took a fifth of the processor time of all Swift tests.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <gcrypt.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// More iterations are a test's own wish: it waits for a derivation that is under way.
enum { remembered_iterations = 100000, secret_limit = 64, key_limit = 64, entry_count = 4096 };

struct input {
  int algorithm, hash;
  unsigned long iterations;
  size_t password_count, salt_count, key_count;
  unsigned char password[secret_limit], salt[secret_limit];
};

struct entry {
  struct input input;
  unsigned char key[key_limit];
};

static struct entry entries[entry_count];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// A later input of the same place replaces an earlier one.
static struct entry *entry_for(const struct input *input) {
  const unsigned char *bytes = (const unsigned char *)input;
  unsigned long sum = 5381;
  for (size_t index = 0; index < sizeof *input; index++) sum = sum * 33 + bytes[index];
  return &entries[sum % entry_count];
}

gpg_error_t gcry_kdf_derive(const void *password, size_t password_count, int algorithm, int hash, const void *salt,
                            size_t salt_count, unsigned long iterations, size_t key_count, void *key) {
  __typeof__(&gcry_kdf_derive) derive = (__typeof__(&gcry_kdf_derive))dlsym(RTLD_NEXT, "gcry_kdf_derive");
  if (derive == NULL) abort();
  if (iterations > remembered_iterations || password_count > secret_limit || salt_count > secret_limit || key_count > key_limit)
    return derive(password, password_count, algorithm, hash, salt, salt_count, iterations, key_count, key);

  struct input input;
  memset(&input, 0, sizeof input);  // What lies between the members is compared, too.
  input.algorithm = algorithm;
  input.hash = hash;
  input.iterations = iterations;
  input.password_count = password_count;
  input.salt_count = salt_count;
  input.key_count = key_count;
  if (password_count > 0) memcpy(input.password, password, password_count);
  if (salt_count > 0) memcpy(input.salt, salt, salt_count);

  struct entry *entry = entry_for(&input);
  pthread_mutex_lock(&lock);
  int is_known = memcmp(&entry->input, &input, sizeof input) == 0;
  if (is_known) memcpy(key, entry->key, key_count);
  pthread_mutex_unlock(&lock);
  if (is_known) return 0;

  gpg_error_t error = derive(password, password_count, algorithm, hash, salt, salt_count, iterations, key_count, key);
  if (error) return error;
  pthread_mutex_lock(&lock);
  entry->input = input;
  memcpy(entry->key, key, key_count);
  pthread_mutex_unlock(&lock);
  return 0;
}
