/* libjpeg with errors that return, and with its warnings sorted. */
#ifndef QUICKVAULT_IMAGING_JPEG_H
#define QUICKVAULT_IMAGING_JPEG_H

#include "internal.h"

#include <stdio.h>

#include <jpeglib.h>
#include <setjmp.h>

/* How one reading or writing goes. An error of the library jumps to `escape`. */
typedef struct {
  struct jpeg_error_mgr manager;
  struct jpeg_progress_mgr progress;
  jmp_buf escape;
  /* The worst that was found. */
  ImagingStatus status;
} JPEGErrors;

/* Makes ready; the caller then sets `err` of its structures to &errors->manager and calls setjmp. */
void jpeg_errors_start(JPEGErrors *errors);

/* Stops what reads a file of endlessly many scans. Set after jpeg_create_decompress. */
void jpeg_limit_scans(j_decompress_ptr source, JPEGErrors *errors);

/* A block as 8 × 8 values, and back: the discrete cosine transform of ISO/IEC 10918-1, A.3.3, without the
 * level shift. */
void block_values(const float coefficients[64], float values[64]);
void block_coefficients(const float values[64], float coefficients[64]);

#endif
