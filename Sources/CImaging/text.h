/* A text as outlines, relative to the centre of its box; TEXT_EM units are one em. */
#ifndef QUICKVAULT_IMAGING_TEXT_H
#define QUICKVAULT_IMAGING_TEXT_H

#include "internal.h"

#include <cairo.h>

#define TEXT_EM 128
#define TEXT_WRAP_EMS 24

struct ImagingText {
  cairo_path_t *path;
  double width, height;
};

#endif
