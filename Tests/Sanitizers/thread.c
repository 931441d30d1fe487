// Linked into every program under the thread sanitizer to set its options, because tests start programs with their own
// environment, and to make Synchronization.Mutex visible to it.
//
// An uncontended Mutex is locked by a few instructions in the program, which the sanitizer sees. A contended one waits in the
// Swift library, which is built without the sanitizer, so it would report false races. These wrappers of the library's three
// waiting functions inform it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

void __tsan_acquire(void *address);
void __tsan_release(void *address);
const char *__tsan_default_options(void);

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT bool try_lock_slowly(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void unlock_slowly(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) {
  SWIFT void (*lock)(uint32_t, SELF void *) = dlsym(RTLD_NEXT, LOCK);
  lock(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT bool try_lock_slowly(SELF void *mutex) {
  SWIFT bool (*try_lock)(SELF void *) = dlsym(RTLD_NEXT, TRY_LOCK);
  bool is_locked = try_lock(mutex);
  if (is_locked) __tsan_acquire(mutex);
  return is_locked;
}

SWIFT void unlock_slowly(SELF void *mutex) {
  SWIFT void (*unlock)(SELF void *) = dlsym(RTLD_NEXT, UNLOCK);
  __tsan_release(mutex);
  unlock(mutex);
}

const char *__tsan_default_options(void) {
  return "exitcode=66:log_path=" REPORTS ":external_symbolizer_path=" SYMBOLIZER;
}
