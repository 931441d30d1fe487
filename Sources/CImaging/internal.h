/* What the files of this target share and nobody else sees. */
#ifndef QUICKVAULT_IMAGING_INTERNAL_H
#define QUICKVAULT_IMAGING_INTERNAL_H

#include "CImaging.h"

#include <stdbool.h>

/* Keeps an account of a failure for imaging_message, and passes the status on. */
ImagingStatus imaging_fail(ImagingStatus status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps what libvips says of its failure, and tells by its words what kind it is. */
ImagingStatus imaging_fail_vips(void);

/* The text, laid out over a picture of one size and orientation. */
typedef struct Mark Mark;

/* Lays the text out over a picture of width by height stored pixels. Null where there is too little memory.
 */
Mark *mark_create(const ImagingText *text, ImagingStyle style, int width, int height, int orientation);
void mark_free(Mark *mark);

/* How much of one pixel the mark covers: first the light outline is laid over it, then the dark text. */
typedef struct {
  float light;
  float dark;
} Cover;

/* One row of covers, as many as the picture is wide. False where the whole row is bare; `row` is then not
 * written. */
bool mark_row(const Mark *mark, int y, Cover *row);

/* The brightness of the text itself, where 0 is black and 1 is white; its outline is white. */
#define MARK_DARK 0.12f

/* What a value becomes under a cover. */
static inline float mark_cover(float value, Cover cover, float light, float dark) {
  value += cover.light * (light - value);
  return value + cover.dark * (dark - value);
}

/* Interleaved pixels in memory. */
typedef struct {
  void *values;
  int width, height, bands;
  bool has_alpha;
  /* 16-bit values in the machine's own order, otherwise 8-bit ones. */
  bool is_deep;
} Pixels;

/* Draws the mark into the pixels, which are grey or RGB. False where there is too little memory. */
bool pixels_mark(Pixels pixels, const Mark *mark);

ImagingStatus imaging_jpeg_check(const uint8_t *bytes, size_t count, int *uniform);
ImagingStatus imaging_heif_header(const uint8_t *bytes, size_t count, ImagingHeader *header);
ImagingStatus imaging_heif_check(const uint8_t *bytes, size_t count, int *uniform);

#endif
