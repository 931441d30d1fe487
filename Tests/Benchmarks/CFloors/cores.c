#define _GNU_SOURCE
#include <sched.h>

#include "CFloors.h"

int floor_hold_on_one_core(int process) {
  cpu_set_t cores;
  int core = sched_getcpu();
  if (core < 0) return -1;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  return sched_setaffinity(process, sizeof cores, &cores);
}

int floor_release_cores(int process) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  for (int core = 0; core < CPU_SETSIZE; core++) CPU_SET(core, &cores);
  return sched_setaffinity(process, sizeof cores, &cores);
}
