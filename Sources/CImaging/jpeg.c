/* libjpeg's errors, the DCT, and decoding a whole file as a check. */
#include "jpeg.h"

#include <jerror.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A progressive picture has about ten scans. */
enum { scan_limit = 200 };

static void exit_with_error(j_common_ptr common) {
  JPEGErrors *errors = (JPEGErrors *)common->err;
  char message[JMSG_LENGTH_MAX];
  common->err->format_message(common, message);
  switch (common->err->msg_code) {
    case JERR_OUT_OF_MEMORY: errors->status = IMAGING_NO_MEMORY; break;
    case JERR_INPUT_EOF:
    case JERR_INPUT_EMPTY: errors->status = IMAGING_TRUNCATED; break;
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_ARITH_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_NOT_COMPILED: errors->status = IMAGING_UNSUPPORTED; break;
    default: errors->status = IMAGING_DAMAGED;
  }
  imaging_fail(errors->status, "%s", message);
  longjmp(errors->escape, 1);
}

/* Warnings mean that samples were made up, except those about stray bytes between segments and about
 * headers. Samsung's cameras write scan parameters that are not those of sequential pictures, and whole samples. */
static void handle_warning(j_common_ptr common, int level) {
  if (level >= 0) return;
  JPEGErrors *errors = (JPEGErrors *)common->err;
  switch (common->err->msg_code) {
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_ADOBE_XFORM:
    case JWRN_JFIF_MAJOR:
    case JWRN_NOT_SEQUENTIAL:
    case JWRN_TOO_MUCH_DATA: return;
    case JWRN_JPEG_EOF: errors->status = IMAGING_TRUNCATED; break;
    default:
      if (errors->status == IMAGING_DONE) errors->status = IMAGING_DAMAGED;
  }
  char message[JMSG_LENGTH_MAX];
  common->err->format_message(common, message);
  imaging_fail(errors->status, "%s", message);
}

static void discard_message(j_common_ptr common) { (void)common; }

void jpeg_errors_init(JPEGErrors *errors) {
  memset(errors, 0, sizeof *errors);
  jpeg_std_error(&errors->manager);
  errors->manager.error_exit = exit_with_error;
  errors->manager.emit_message = handle_warning;
  errors->manager.output_message = discard_message;
}

static void check_scan_count(j_common_ptr common) {
  if (((j_decompress_ptr)common)->input_scan_number <= scan_limit) return;
  common->err->msg_code = JERR_BAD_PROGRESSION;
  exit_with_error(common);
}

void jpeg_limit_scans(j_decompress_ptr source, JPEGErrors *errors) {
  errors->progress.progress_monitor = check_scan_count;
  source->progress = &errors->progress;
}

static void cosines(float table[8][8]) {
  for (int u = 0; u < 8; u++) {
    for (int x = 0; x < 8; x++) {
      table[u][x] = (float)((u == 0 ? sqrt(0.125) : 0.5) * cos((2 * x + 1) * u * M_PI / 16));
    }
  }
}

/* result = left · middle · leftᵀ, or with `transposed`, leftᵀ · middle · left. */
static void transform_block(const float middle[64], float result[64], bool transposed) {
  static _Thread_local float table[2][8][8];
  if (table[0][0][0] == 0) {
    cosines(table[0]);
    for (int i = 0; i < 64; i++) table[1][i % 8][i / 8] = table[0][i / 8][i % 8];
  }
  const float(*left)[8] = (const float(*)[8])table[transposed];
  const float(*right)[8] = (const float(*)[8])table[!transposed];
  float half[8][8] = {{0}};
  memset(result, 0, 64 * sizeof *result);
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 8; k++) {
      for (int j = 0; j < 8; j++) half[i][j] += left[i][k] * middle[8 * k + j];
    }
  }
  for (int i = 0; i < 8; i++) {
    for (int k = 0; k < 8; k++) {
      for (int j = 0; j < 8; j++) result[8 * i + j] += half[i][k] * right[k][j];
    }
  }
}

void block_values(const float coefficients[64], float values[64]) {
  transform_block(coefficients, values, true);
}
void block_coefficients(const float values[64], float coefficients[64]) {
  transform_block(values, coefficients, false);
}

ImagingStatus imaging_jpeg_check(const uint8_t *bytes, size_t count, int *uniform) {
  JPEGErrors errors;
  struct jpeg_decompress_struct source = {0};
  uint8_t *volatile row = NULL;
  jpeg_errors_init(&errors);
  source.err = &errors.manager;
  *uniform = 1;
  if (setjmp(errors.escape) == 0) {
    jpeg_create_decompress(&source);
    jpeg_limit_scans(&source, &errors);
    jpeg_mem_src(&source, bytes, count);
    jpeg_read_header(&source, TRUE);
    source.out_color_space = source.jpeg_color_space;
    source.do_fancy_upsampling = FALSE;
    source.dct_method = JDCT_IFAST;
    jpeg_start_decompress(&source);
    size_t components = (size_t)source.output_components, length = source.output_width * components;
    row = malloc(length);
    if (row == NULL) {
      source.err->msg_code = JERR_OUT_OF_MEMORY;
      exit_with_error((j_common_ptr)&source);
    }
    uint8_t first[MAX_COMPONENTS];
    while (source.output_scanline < source.output_height) {
      JSAMPROW line = row;
      bool is_first = source.output_scanline == 0;
      jpeg_read_scanlines(&source, &line, 1);
      if (is_first) memcpy(first, line, components);
      for (size_t i = 0; i < length && *uniform; i += components) {
        if (memcmp(line + i, first, components) != 0) *uniform = 0;
      }
    }
    jpeg_finish_decompress(&source);
  }
  free(row);
  jpeg_destroy_decompress(&source);
  return errors.status;
}
