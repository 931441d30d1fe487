// Linked into every program under the address sanitizer to set its options, because tests start programs with their own
// environment, and because it ends a program that starts or ends a thread in a sandbox as narrow as that of the relay.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

const char *__asan_default_options(void);

const char *__asan_default_options(void) {
  // No leak detection: a process exits without freeing its memory, and for an object with weak references Swift stores the only
  // pointer to its side table with shifted bits, so that it looks leaked.
  return "detect_leaks=0:log_path=" REPORTS ":external_symbolizer_path=" SYMBOLIZER;
}

// The sanitizer asks for a thread's stack. The C library looks for its processors as well, which the sandbox refuses; the stack
// is known by then.
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  int (*get)(pthread_t, pthread_attr_t *) = (int (*)(pthread_t, pthread_attr_t *))dlsym(RTLD_NEXT, "pthread_getattr_np");
  int error = get(thread, attributes);
  return error == EPERM ? 0 : error;
}

// The sanitizer gives a thread a stack for signals, and asks for it at its end. Without one, signals use the thread's own.
int sigaltstack(const stack_t *restrict stack, stack_t *restrict old) {
  int (*set)(const stack_t *, stack_t *) = (int (*)(const stack_t *, stack_t *))dlsym(RTLD_NEXT, "sigaltstack");
  int error = set(stack, old);
  if (error == 0 || errno != EPERM) return error;
  if (old != NULL) *old = (stack_t){.ss_flags = SS_DISABLE};
  return 0;
}
