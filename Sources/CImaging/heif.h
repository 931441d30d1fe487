/* The primary image of a HEIC file. */
#ifndef QUICKVAULT_IMAGING_HEIF_H
#define QUICKVAULT_IMAGING_HEIF_H

#include "internal.h"

#include <libheif/heif.h>

typedef struct {
  struct heif_context *context;
  struct heif_image_handle *handle;
  struct heif_image *image;
} HEIC;

/* The channels that a decoded image may have. */
enum { HEIC_CHANNELS = 7 };
extern const enum heif_channel heic_channels[HEIC_CHANNELS];

/* Parses the file; `bytes` must stay valid until heic_close. */
ImagingStatus heic_open(const uint8_t *bytes, size_t count, HEIC *heic);

/* Decodes the primary image into its stored planes; warnings are errors. */
ImagingStatus heic_decode(HEIC *heic, bool upright);

void heic_close(HEIC *heic);

#endif
