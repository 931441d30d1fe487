// Built into every program of the suite under the address sanitizer: its options, which no environment brings to programs that
// tests start with an environment of their own.
const char *__asan_default_options(void);

const char *__asan_default_options(void) {
  // A process ends without giving back what it has; and where a weak reference to an object is, Swift keeps the only pointer to
  // what belongs to it shifted by some bits, so that it looks lost. So what is left at the end is not looked at.
  return "detect_leaks=0:log_path=" REPORTS ":external_symbolizer_path=" SYMBOLIZER;
}
