#ifndef QUICKVAULT_CDEMO_H
#define QUICKVAULT_CDEMO_H

#include <stddef.h>
#include <stdint.h>

/// A PNG of 600 × 400 pixels: a business licence that nobody ever had, as make_licence.py draws it.
const uint8_t *_Nonnull quickvault_demo_licence(void);
size_t quickvault_demo_licence_count(void);

#endif
