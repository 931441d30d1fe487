#ifndef CGCRYPT_SHIM_H
#define CGCRYPT_SHIM_H

#include <gcrypt.h>
#include <stddef.h>

/* Swift imports neither variadic functions nor function-like macros, so the few that are used are named here. */

/* A system-wide FIPS mode would refuse a nonce that the caller sets (SP 800-38D 8.2), which the vault format needs. */
static inline gcry_error_t cgcrypt_leave_fips_mode(void) {
  return gcry_control(GCRYCTL_NO_FIPS_MODE);
}

/* Random bytes come from the kernel, with no pool in this process that would have to be filled first. */
static inline gcry_error_t cgcrypt_prefer_system_random(void) {
  return gcry_control(GCRYCTL_SET_PREFERRED_RNG_TYPE, GCRY_RNG_TYPE_SYSTEM);
}

/* The library would write its warning to standard error; the program says the same in its own words. */
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

static inline gcry_error_t cgcrypt_mac_reset(gcry_mac_hd_t handle) {
  return gcry_mac_reset(handle);
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
