/* Resource limits. */
#include "CImaging.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Lowers a limit; a lower one stays. */
static int lower(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max > value) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit);
}

int imaging_limit(unsigned seconds) {
  alarm(seconds);
  /* If fontconfig writes its cache, the write is to fail, not to kill the process. */
  signal(SIGXFSZ, SIG_IGN);
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
  if (lower(RLIMIT_CORE, 0) != 0 || lower(RLIMIT_FSIZE, 0) != 0 || lower(RLIMIT_CPU, seconds) != 0) return -1;
  if (lower(RLIMIT_NOFILE, 64) != 0) return -1;
  /* Decoding 50 megapixels of 16 bits and four bands takes less than half of this. Short of memory,
   * libraries have returned blank pictures and no error. */
  return lower(RLIMIT_AS, (rlim_t)3 << 30);
}
