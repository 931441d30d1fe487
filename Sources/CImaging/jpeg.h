/* Error handling for libjpeg, and the DCT. */
#ifndef QUICKVAULT_IMAGING_JPEG_H
#define QUICKVAULT_IMAGING_JPEG_H

#include "internal.h"

#include <stdio.h>

#include <jpeglib.h>
#include <setjmp.h>

/* The state of one operation. Errors of the library jump to `escape`. */
typedef struct {
  struct jpeg_error_mgr manager;
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  /* The worst status so far. */
  ImagingStatus status;
} JPEGErrors;

/* Afterwards, set `err` of the libjpeg structures to &errors->manager and call setjmp. */
void jpeg_errors_init(JPEGErrors *errors);

/* Limits the number of scans. Call after jpeg_create_decompress. */
void jpeg_limit_scans(j_decompress_ptr source, JPEGErrors *errors);

/* The inverse and forward DCT of an 8 x 8 block (ISO/IEC 10918-1, A.3.3), without the level shift. */
void block_values(const float coefficients[64], float values[64]);
void block_coefficients(const float values[64], float coefficients[64]);

#endif
