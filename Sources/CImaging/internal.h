/* Declarations shared by the files of this target. */
#ifndef QUICKVAULT_IMAGING_INTERNAL_H
#define QUICKVAULT_IMAGING_INTERNAL_H

#include "CImaging.h"

#include <stdbool.h>

/* Stores the message for imaging_message, and returns `status`. */
ImagingStatus imaging_fail(ImagingStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Stores libvips' error message, and derives the status from its text. */
ImagingStatus imaging_fail_vips(void);

/* A text laid out over a picture of one size and orientation. */
typedef struct Watermark Watermark;

/* Lays the text out over a picture of width x height stored pixels. Returns null if out of memory. */
Watermark *watermark_create(
    const ImagingText *text, ImagingStyle style, int width, int height, int orientation);
void watermark_free(Watermark *watermark);

/* The coverage of one pixel: the light outline is blended first, then the dark text. */
typedef struct {
  float light;
  float dark;
} Coverage;

/* Computes the coverage of row `y`. Returns false, leaving `row` unwritten, if it is zero throughout. */
bool watermark_row(const Watermark *watermark, int y, Coverage *row);

/* The luminance of the text, from 0 (black) to 1 (white); its outline is white. */
#define TEXT_LUMINANCE 0.12f

/* Blends the outline's and the text's values over a sample. */
static inline float blend(float value, Coverage coverage, float light, float dark) {
  value += coverage.light * (light - value);
  return value + coverage.dark * (dark - value);
}

/* Interleaved pixels in memory. */
typedef struct {
  void *values;
  int width, height, bands;
  bool has_alpha;
  /* 16-bit samples in native byte order, otherwise 8-bit ones. */
  bool is_deep;
} Pixels;

/* Draws on grey or RGB pixels. Returns false if out of memory. */
bool draw_watermark(Pixels pixels, const Watermark *watermark);

ImagingStatus imaging_jpeg_check(const uint8_t *bytes, size_t count, int *uniform);
ImagingStatus imaging_heif_header(const uint8_t *bytes, size_t count, ImagingHeader *header);
ImagingStatus imaging_heif_check(const uint8_t *bytes, size_t count, int *uniform);

#endif
