/* A HEIC's primary picture. */
#ifndef QUICKVAULT_IMAGING_HEIF_H
#define QUICKVAULT_IMAGING_HEIF_H

#include "internal.h"

#include <libheif/heif.h>

typedef struct {
  struct heif_context *context;
  struct heif_image_handle *handle;
  struct heif_image *image;
} HEIC;

/* Every channel that a decoded picture may have. */
enum { HEIC_CHANNELS = 7 };
extern const enum heif_channel heic_channels[HEIC_CHANNELS];

/* Reads the file's boxes; `bytes` stay in use until heic_close. */
ImagingStatus heic_open(const uint8_t *bytes, size_t count, HEIC *heic);

/* Decodes the primary picture into the planes in which it is stored, strictly. */
ImagingStatus heic_decode(HEIC *heic, bool upright);

void heic_close(HEIC *heic);

#endif
