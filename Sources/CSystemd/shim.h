/* libsystemd's D-Bus interface. Calls that take a format and variable arguments are not used: those that append and read
   one value do everything. */
#ifndef QUICKVAULT_CSYSTEMD_SHIM_H
#define QUICKVAULT_CSYSTEMD_SHIM_H

#include <systemd/sd-bus.h>

#endif
