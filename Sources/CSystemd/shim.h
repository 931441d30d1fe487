/* sd-bus. Swift cannot import its variadic functions; those for single values suffice. */
#ifndef QUICKVAULT_CSYSTEMD_SHIM_H
#define QUICKVAULT_CSYSTEMD_SHIM_H

#include <systemd/sd-bus.h>

#endif
