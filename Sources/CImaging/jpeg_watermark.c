/* Watermarks a JPEG in its coefficients. Only the blocks that the text touches change; all others decode
 * to the same samples as before. */
#include "jpeg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The sample values of the outline and of the text in one component. */
typedef struct {
  float light, dark;
} Values;

static Values values_of(const struct jpeg_decompress_struct *source, int component) {
  const float white = 255, dark = TEXT_LUMINANCE * 255, middle = 128;
  bool is_inverted = source->saw_Adobe_marker;
  switch (source->jpeg_color_space) {
    case JCS_YCbCr: return component == 0 ? (Values){white, dark} : (Values){middle, middle};
    case JCS_CMYK:
      /* Samples are ink, or inverted ink with Adobe's marker; the text is black ink only. */
      if (component == 3) return is_inverted ? (Values){white, dark} : (Values){0, white - dark};
      return is_inverted ? (Values){white, white} : (Values){0, 0};
    case JCS_YCCK:
      if (component == 3) return is_inverted ? (Values){white, dark} : (Values){0, white - dark};
      if (component > 0) return (Values){middle, middle};
      return is_inverted ? (Values){0, 0} : (Values){white, white};
    default: return (Values){white, dark};
  }
}

/* The coverage of the pixel rows of one MCU row. */
typedef struct {
  Coverage *coverages;
  bool *is_covered;
  int width, count;
} RowCoverage;

/* The mean coverage of the pixels of one sample. */
static Coverage sample_coverage(const RowCoverage *rows, int x0, int x1, int y0, int y1) {
  Coverage sum = {0, 0};
  for (int y = y0; y < y1; y++) {
    if (!rows->is_covered[y]) continue;
    const Coverage *row = rows->coverages + (size_t)y * (size_t)rows->width;
    for (int x = x0; x < x1; x++) {
      /* Repeat the last pixel beyond the edge, as encoders do. */
      const Coverage *coverage = &row[x < rows->width ? x : rows->width - 1];
      sum.light += coverage->light;
      sum.dark += coverage->dark;
    }
  }
  float area = (float)((x1 - x0) * (y1 - y0));
  return (Coverage){sum.light / area, sum.dark / area};
}

/* Computes the coverage of one block's samples; false if it is zero throughout. */
static bool block_coverage(
    const struct jpeg_decompress_struct *source, const jpeg_component_info *component,
    const RowCoverage *rows, unsigned column, unsigned row, Coverage coverages[64]) {
  int across = source->max_h_samp_factor, down = source->max_v_samp_factor;
  int h = component->h_samp_factor, v = component->v_samp_factor;
  bool is_covered = false;
  for (int j = 0; j < 8; j++) {
    int y0 = ((int)row * 8 + j) * down / v, y1 = ((int)row * 8 + j + 1) * down / v;
    for (int i = 0; i < 8; i++) {
      int x0 = ((int)column * 8 + i) * across / h, x1 = ((int)column * 8 + i + 1) * across / h;
      Coverage coverage = sample_coverage(rows, x0, x1 > x0 ? x1 : x0 + 1, y0, y1 > y0 ? y1 : y0 + 1);
      coverages[8 * j + i] = coverage;
      is_covered |= coverage.light > 0 || coverage.dark > 0;
    }
  }
  return is_covered;
}

/* The quantization error of samples that the text does not touch, in blocks that it does. */
typedef struct {
  double squares;
  double samples;
} Loss;

/* Computes the change of the quantized coefficients, and its quantization error. */
static void block_change(
    const JCOEF *block, const JQUANT_TBL *table, const Coverage coverages[64], Values target,
    JCOEF change[64], Loss *loss) {
  float coefficients[64], values[64];
  for (int i = 0; i < 64; i++) coefficients[i] = (float)(block[i] * (int)table->quantval[i]);
  block_values(coefficients, values);
  for (int i = 0; i < 64; i++) {
    float value = fminf(fmaxf(values[i] + 128, 0), 255);
    values[i] = blend(value, coverages[i], target.light, target.dark) - value;
  }
  block_coefficients(values, coefficients);
  for (int i = 0; i < 64; i++) {
    long step = lroundf(coefficients[i] / (float)table->quantval[i]);
    long value = block[i] + step;
    change[i] = (JCOEF)((value < -1023 ? -1023 : value > 1023 ? 1023 : value) - block[i]);
    coefficients[i] = (float)(change[i] * (int)table->quantval[i]);
  }
  if (loss == NULL) return;
  block_values(coefficients, values);
  for (int i = 0; i < 64; i++) {
    if (coverages[i].light == 0 && coverages[i].dark == 0) loss->squares += (double)(values[i] * values[i]);
  }
}

/* Draws on one MCU row or, if `loss` is given, only measures the quantization error. */
static void draw_on_blocks(
    j_decompress_ptr source, jvirt_barray_ptr *coefficients, const RowCoverage *rows, unsigned number,
    Loss *loss) {
  for (int index = 0; index < source->num_components; index++) {
    const jpeg_component_info *component = &source->comp_info[index];
    Values target = values_of(source, index);
    /* An error in chrominance counts about twice as much in RGB (ITU-T T.871). */
    Loss part = {0, 0};
    for (unsigned row = 0; row < (unsigned)component->v_samp_factor; row++) {
      unsigned y = number * (unsigned)component->v_samp_factor + row;
      if (y >= component->height_in_blocks) break;
      JBLOCKARRAY blocks =
          source->mem->access_virt_barray((j_common_ptr)source, coefficients[index], y, 1, loss == NULL);
      part.samples += 64.0 * component->width_in_blocks;
      for (unsigned x = 0; x < component->width_in_blocks; x++) {
        Coverage coverages[64];
        JCOEF change[64];
        if (!block_coverage(source, component, rows, x, row, coverages)) continue;
        block_change(blocks[0][x], component->quant_table, coverages, target, change, loss ? &part : NULL);
        for (int i = 0; i < 64 && loss == NULL; i++) blocks[0][x][i] = (JCOEF)(blocks[0][x][i] + change[i]);
      }
    }
    if (loss != NULL && part.samples > 0) loss->squares += (index == 0 ? 1 : 2) * part.squares / part.samples;
  }
  if (loss != NULL) loss->samples += 1;
}

static bool row_coverage_create(j_decompress_ptr source, RowCoverage *rows) {
  *rows = (RowCoverage){.width = (int)source->image_width, .count = source->max_v_samp_factor * 8};
  rows->coverages = malloc((size_t)rows->width * (size_t)rows->count * sizeof *rows->coverages);
  rows->is_covered = calloc((size_t)rows->count, sizeof *rows->is_covered);
  return rows->coverages != NULL && rows->is_covered != NULL;
}

static void row_coverage_free(RowCoverage *rows) {
  free(rows->coverages);
  free(rows->is_covered);
}

/* Computes the coverage of one MCU row; false if it is zero throughout. The last pixel row repeats below
 * the picture. */
static bool row_coverage_fill(RowCoverage *rows, const Watermark *watermark, int top, int height) {
  bool is_covered = false;
  for (int y = 0; y < rows->count; y++) {
    int at = top + y < height ? top + y : height - 1;
    rows->is_covered[y] = watermark_row(watermark, at, rows->coverages + (size_t)y * (size_t)rows->width);
    is_covered |= rows->is_covered[y];
  }
  return is_covered;
}

static void draw_on_image(
    j_decompress_ptr source, jvirt_barray_ptr *coefficients, RowCoverage *rows, const Watermark *watermark) {
  int height = (int)source->image_height;
  for (int top = 0; top < height; top += rows->count) {
    if (!row_coverage_fill(rows, watermark, top, height)) continue;
    draw_on_blocks(source, coefficients, rows, (unsigned)(top / rows->count), NULL);
  }
}

/* Samples some MCU rows: whether the PSNR of untouched samples would drop below 48 dB. */
static bool is_too_coarse(
    j_decompress_ptr source, jvirt_barray_ptr *coefficients, RowCoverage *rows, const Watermark *watermark) {
  const int height = (int)source->image_height, sample_limit = 32;
  const int row_count = (height + rows->count - 1) / rows->count, stride = 1 + row_count / sample_limit;
  Loss loss = {0, 0};
  for (int row = 0; row < row_count; row += stride) {
    if (row_coverage_fill(rows, watermark, row * rows->count, height)) {
      draw_on_blocks(source, coefficients, rows, (unsigned)row, &loss);
    } else {
      loss.samples += 1;
    }
  }
  return loss.samples > 0 && loss.squares / loss.samples > 255.0 * 255.0 / pow(10, 4.8);
}

/* The largest divisor of a quantization step that is at most 4. */
static unsigned finer_step(unsigned step) {
  const unsigned finest = 4;
  for (unsigned fine = finest; fine > 1; fine--) {
    if (step % fine == 0) return fine;
  }
  return 1;
}

/* Divides all quantization steps by integers and multiplies the coefficients by them: the picture stays
 * identical, and changes to it are quantized more finely. */
static void refine_quantization(j_decompress_ptr source, jvirt_barray_ptr *coefficients) {
  for (int index = 0; index < source->num_components; index++) {
    jpeg_component_info *component = &source->comp_info[index];
    unsigned factors[64];
    for (int i = 0; i < 64; i++) {
      unsigned step = component->quant_table->quantval[i];
      factors[i] = step / finer_step(step);
      component->quant_table->quantval[i] = (UINT16)finer_step(step);
    }
    /* libjpeg has a copy of the table for each component, and compares it with the one that is written. */
    *source->quant_tbl_ptrs[component->quant_tbl_no] = *component->quant_table;
    for (unsigned y = 0; y < component->height_in_blocks; y++) {
      JBLOCKARRAY blocks =
          source->mem->access_virt_barray((j_common_ptr)source, coefficients[index], y, 1, TRUE);
      for (unsigned x = 0; x < component->width_in_blocks; x++) {
        for (int i = 0; i < 64; i++) {
          long value = (long)blocks[0][x][i] * (long)factors[i];
          blocks[0][x][i] = (JCOEF)(value < -1023 ? -1023 : value > 1023 ? 1023 : value);
        }
      }
    }
  }
}

static void write_coefficients(
    j_decompress_ptr source, j_compress_ptr target, jvirt_barray_ptr *coefficients, unsigned char **bytes,
    unsigned long *count) {
  jpeg_create_compress(target);
  jpeg_mem_dest(target, bytes, count);
  jpeg_copy_critical_parameters(source, target);
  target->write_JFIF_header = FALSE;
  target->write_Adobe_marker = FALSE;
  target->optimize_coding = TRUE;
  if (source->progressive_mode) jpeg_simple_progression(target);
  jpeg_write_coefficients(target, coefficients);
  jpeg_finish_compress(target);
}

ImagingStatus imaging_jpeg_watermark(
    const uint8_t *bytes, size_t count, int orientation, const ImagingText *text, ImagingStyle style,
    ImagingFile *file) {
  JPEGErrors errors;
  struct jpeg_decompress_struct source = {0};
  struct jpeg_compress_struct target = {0};
  unsigned char *result = NULL;
  unsigned long result_count = 0;
  Watermark *volatile watermark = NULL;
  RowCoverage rows = {0};
  jpeg_errors_init(&errors);
  source.err = target.err = &errors.manager;
  *file = (ImagingFile){0};
  if (setjmp(errors.escape) == 0) {
    jpeg_create_decompress(&source);
    jpeg_limit_scans(&source, &errors);
    jpeg_mem_src(&source, bytes, count);
    jpeg_read_header(&source, TRUE);
    int width = (int)source.image_width, height = (int)source.image_height;
    jvirt_barray_ptr *coefficients = jpeg_read_coefficients(&source);
    if (errors.status == IMAGING_DONE) {
      watermark = watermark_create(text, style, width, height, orientation);
      if (watermark == NULL || !row_coverage_create(&source, &rows)) {
        errors.status = imaging_fail(IMAGING_NO_MEMORY, "no memory for the text");
      } else {
        if (is_too_coarse(&source, coefficients, &rows, watermark)) {
          refine_quantization(&source, coefficients);
        }
        draw_on_image(&source, coefficients, &rows, watermark);
        write_coefficients(&source, &target, coefficients, &result, &result_count);
        *file = (ImagingFile){result, result_count, width, height};
      }
    }
  }
  watermark_free(watermark);
  row_coverage_free(&rows);
  jpeg_destroy_compress(&target);
  jpeg_destroy_decompress(&source);
  if (errors.status != IMAGING_DONE) {
    free(result);
    *file = (ImagingFile){0};
  }
  return errors.status;
}
