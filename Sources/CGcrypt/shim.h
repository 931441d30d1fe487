#ifndef CGCRYPT_SHIM_H
#define CGCRYPT_SHIM_H

#include <gcrypt.h>
#include <stddef.h>

/* Swift imports neither variadic functions nor function-like macros, so the few that are used are wrapped here. */

/* A system-wide FIPS mode would refuse a nonce that the caller sets (SP 800-38D 8.2), which the vault format needs. */
static inline gcry_error_t cgcrypt_leave_fips_mode(void) {
  return gcry_control(GCRYCTL_NO_FIPS_MODE);
}

/* Random bytes come from the kernel, without a pool in this process that must be filled first. */
static inline gcry_error_t cgcrypt_prefer_system_random(void) {
  return gcry_control(GCRYCTL_SET_PREFERRED_RNG_TYPE, GCRY_RNG_TYPE_SYSTEM);
}

/* The library would write a warning to standard error; the program reports this itself. */
static inline gcry_error_t cgcrypt_silence_secure_memory_warning(void) {
  return gcry_control(GCRYCTL_DISABLE_SECMEM_WARN);
}

/* Fails when the memory is there but cannot be locked. */
static inline gcry_error_t cgcrypt_start_secure_memory(unsigned int size) {
  return gcry_control(GCRYCTL_INIT_SECMEM, size, 0);
}

static inline gcry_error_t cgcrypt_finish_initialization(void) {
  return gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

enum {
  cgcrypt_hmac_block = 64,
  cgcrypt_hmac_code = 32,
  /* The key's inner pad, its outer pad, and room for the inner hash. */
  cgcrypt_hmac_state = 2 * cgcrypt_hmac_block + cgcrypt_hmac_code
};

/* Prepares HMAC-SHA256 (RFC 2104) for a key of any length; state has cgcrypt_hmac_state bytes and is as secret as the
   key. */
static inline void cgcrypt_hmac_prepare(void *state, const void *key, size_t count) {
  unsigned char *inner = state, *outer = inner + cgcrypt_hmac_block;
  for (int i = 0; i < cgcrypt_hmac_block; i++) inner[i] = 0;
  if (count > cgcrypt_hmac_block) {
    gcry_md_hash_buffer(GCRY_MD_SHA256, inner, key, count);
  } else {
    for (size_t i = 0; i < count; i++) inner[i] = ((const unsigned char *)key)[i];
  }
  for (int i = 0; i < cgcrypt_hmac_block; i++) {
    outer[i] = inner[i] ^ 0x5c;
    inner[i] ^= 0x36;
  }
}

/* Writes the 32 bytes of HMAC-SHA256 of a message to code.

   libgcrypt's own HMAC, with its key in secure memory, takes another piece of that memory for every message, under one
   lock for the whole process: two threads wait for each other six times as long as the code takes. This one allocates
   nothing. */
static inline gcry_error_t cgcrypt_hmac(void *state, const void *message, size_t count, void *code) {
  unsigned char *inner = state, *outer = inner + cgcrypt_hmac_block, *hash = outer + cgcrypt_hmac_block;
  gcry_buffer_t first[2] = {
      {.len = cgcrypt_hmac_block, .data = inner}, {.len = count, .data = count ? (void *)message : hash}};
  gcry_buffer_t second[2] = {
      {.len = cgcrypt_hmac_block, .data = outer}, {.len = cgcrypt_hmac_code, .data = hash}};
  gcry_error_t failure = gcry_md_hash_buffers(GCRY_MD_SHA256, 0, hash, first, 2);
  return failure ? failure : gcry_md_hash_buffers(GCRY_MD_SHA256, 0, code, second, 2);
}

/* Reads every byte whatever it finds; volatile keeps the compiler from leaving early. */
static inline int cgcrypt_equal(const void *left, const void *right, size_t count) {
  const volatile unsigned char *l = left;
  const volatile unsigned char *r = right;
  unsigned char difference = 0;
  for (size_t i = 0; i < count; i++) {
    difference |= l[i] ^ r[i];
  }
  return difference == 0;
}

#endif
