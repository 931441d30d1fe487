/* libexpat, the XML parser. */
#ifndef QUICKVAULT_EXPAT_H
#define QUICKVAULT_EXPAT_H

#include <expat.h>

#endif
