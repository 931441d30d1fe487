// Linked into every program under the address sanitizer to set its options, because tests start programs with their own
// environment.
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
  // No leak detection: a process exits without freeing its memory, and for an object with weak references Swift stores the only
  // pointer to its side table with shifted bits, so that it looks leaked.
  return "detect_leaks=0:log_path=" REPORTS ":external_symbolizer_path=" SYMBOLIZER;
}
