/* Limits that hold from the start of the process. */
#include "CImaging.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* Lowers a limit; one that is lower already stays. */
static int lower(__rlimit_resource_t resource, rlim_t value) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return -1;
  if (limit.rlim_max > value) limit.rlim_max = value;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(resource, &limit);
}

int imaging_limit(unsigned seconds) {
  alarm(seconds);
  /* fontconfig may try to renew its cache: that is to fail, not to end the process. */
  signal(SIGXFSZ, SIG_IGN);
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return -1;
  if (lower(RLIMIT_CORE, 0) != 0 || lower(RLIMIT_FSIZE, 0) != 0 || lower(RLIMIT_CPU, seconds) != 0) return -1;
  if (lower(RLIMIT_NOFILE, 64) != 0) return -1;
  /* Decoding 50 megapixels of 16 bits and four bands takes less than half of this. With too little, libraries
     have been seen to give blank pictures and no error. */
  return lower(RLIMIT_AS, (rlim_t)3 << 30);
}
