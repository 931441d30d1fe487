#ifndef QUICKVAULT_CDEMO_H
#define QUICKVAULT_CDEMO_H

#include <stddef.h>
#include <stdint.h>

/// A PNG of 600 × 400 pixels: an invented business licence, drawn by make_licence.py.
const uint8_t *_Nonnull quickvault_demo_licence(void);
size_t quickvault_demo_licence_count(void);

#endif
