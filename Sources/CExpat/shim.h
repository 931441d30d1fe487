/* libexpat, the XML parser. */
#ifndef QUICKVAULT_CEXPAT_SHIM_H
#define QUICKVAULT_CEXPAT_SHIM_H

#include <expat.h>

#endif
