/* Watermarks interleaved pixels. */
#include "internal.h"

#include <stdlib.h>

/* With an alpha channel, the text is composited, so that it shows on transparent pixels too. */
#define DRAW_ROW(type, top)                                                                       \
  static void draw_row_##type(type *pixel, const Coverage *row, int width, int bands, int colours) { \
    for (int x = 0; x < width; x++, pixel += bands) {                                             \
      if (row[x].light == 0 && row[x].dark == 0) continue;                                        \
      Coverage coverage = row[x];                                                                       \
      if (colours < bands) {                                                                      \
        float below = (float)pixel[colours] / top;                                                \
        float above = 1 - (1 - coverage.light) * (1 - coverage.dark);                                   \
        float whole = above + below * (1 - above);                                                \
        pixel[colours] = (type)(whole * top + 0.5f);                                              \
        float base = below * (1 - coverage.light);                                                   \
        coverage.light = coverage.light / (coverage.light + base);                                         \
        coverage.dark = coverage.dark / whole;                                                          \
      }                                                                                           \
      for (int band = 0; band < colours; band++) {                                                \
        pixel[band] = (type)(blend(pixel[band], coverage, top, TEXT_LUMINANCE * top) + 0.5f);        \
      }                                                                                           \
    }                                                                                             \
  }

DRAW_ROW(uint8_t, 255.0f)
DRAW_ROW(uint16_t, 65535.0f)

bool draw_watermark(Pixels pixels, const Watermark *watermark) {
  Coverage *row = malloc((size_t)pixels.width * sizeof *row);
  if (row == NULL) return false;
  int colours = pixels.bands - (pixels.has_alpha ? 1 : 0);
  for (int y = 0; y < pixels.height; y++) {
    if (!watermark_row(watermark, y, row)) continue;
    size_t offset = (size_t)y * (size_t)pixels.width * (size_t)pixels.bands;
    if (pixels.is_deep) {
      draw_row_uint16_t((uint16_t *)pixels.values + offset, row, pixels.width, pixels.bands, colours);
    } else {
      draw_row_uint8_t((uint8_t *)pixels.values + offset, row, pixels.width, pixels.bands, colours);
    }
  }
  free(row);
  return true;
}
