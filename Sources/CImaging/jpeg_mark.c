/* The mark in a JPEG's own coefficients. Only what the mark changes is transformed, laid on and quantized;
   all other blocks decode to the same samples as before. */
#include "jpeg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a full cover makes of one component. */
typedef struct {
  float light, dark;
} Targets;

static Targets targets(const struct jpeg_decompress_struct *source, int component) {
  const float white = 255, dark = MARK_DARK * 255, middle = 128;
  bool is_inverted = source->saw_Adobe_marker;
  switch (source->jpeg_color_space) {
    case JCS_YCbCr: return component == 0 ? (Targets){white, dark} : (Targets){middle, middle};
    case JCS_CMYK:
      /* Ink, and with Adobe's marker its lack: the text is black ink alone. */
      if (component == 3) return is_inverted ? (Targets){white, dark} : (Targets){0, white - dark};
      return is_inverted ? (Targets){white, white} : (Targets){0, 0};
    case JCS_YCCK:
      if (component == 3) return is_inverted ? (Targets){white, dark} : (Targets){0, white - dark};
      if (component > 0) return (Targets){middle, middle};
      return is_inverted ? (Targets){0, 0} : (Targets){white, white};
    default: return (Targets){white, dark};
  }
}

/* The covers of the pixel rows under one row of the picture's largest blocks. */
typedef struct {
  Cover *covers;
  bool *is_covered;
  int width, rows;
} Band;

/* The mean cover of the pixels under one sample. */
static Cover sample_cover(const Band *band, int x0, int x1, int y0, int y1) {
  Cover sum = {0, 0};
  for (int y = y0; y < y1; y++) {
    if (!band->is_covered[y]) continue;
    const Cover *row = band->covers + (size_t)y * (size_t)band->width;
    for (int x = x0; x < x1; x++) {
      /* Beyond the edge the last pixel goes on, as encoders do it. */
      const Cover *cover = &row[x < band->width ? x : band->width - 1];
      sum.light += cover->light;
      sum.dark += cover->dark;
    }
  }
  float area = (float)((x1 - x0) * (y1 - y0));
  return (Cover){sum.light / area, sum.dark / area};
}

/* Finds the covers of one block's samples; false where it is bare. */
static bool block_cover(
    const struct jpeg_decompress_struct *source, const jpeg_component_info *component, const Band *band,
    unsigned column, unsigned row, Cover covers[64]) {
  int across = source->max_h_samp_factor, down = source->max_v_samp_factor;
  int h = component->h_samp_factor, v = component->v_samp_factor;
  bool is_covered = false;
  for (int j = 0; j < 8; j++) {
    int y0 = ((int)row * 8 + j) * down / v, y1 = ((int)row * 8 + j + 1) * down / v;
    for (int i = 0; i < 8; i++) {
      int x0 = ((int)column * 8 + i) * across / h, x1 = ((int)column * 8 + i + 1) * across / h;
      Cover cover = sample_cover(band, x0, x1 > x0 ? x1 : x0 + 1, y0, y1 > y0 ? y1 : y0 + 1);
      covers[8 * j + i] = cover;
      is_covered |= cover.light > 0 || cover.dark > 0;
    }
  }
  return is_covered;
}

/* What rounding does to samples that the text does not touch, in the blocks that it does. */
typedef struct {
  double squares;
  double samples;
} Loss;

/* The change that the covers make, in the block's own quantization, and what its rounding costs. */
static void block_change(
    const JCOEF *block, const JQUANT_TBL *table, const Cover covers[64], Targets target, JCOEF change[64],
    Loss *loss) {
  float coefficients[64], values[64];
  for (int i = 0; i < 64; i++) coefficients[i] = (float)(block[i] * (int)table->quantval[i]);
  block_values(coefficients, values);
  for (int i = 0; i < 64; i++) {
    float value = fminf(fmaxf(values[i] + 128, 0), 255);
    values[i] = mark_cover(value, covers[i], target.light, target.dark) - value;
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
    if (covers[i].light == 0 && covers[i].dark == 0) loss->squares += (double)(values[i] * values[i]);
  }
}

/* Marks one row of the picture's largest blocks or, where `loss` is given, only finds what that would cost.
 */
static void mark_blocks(
    j_decompress_ptr source, jvirt_barray_ptr *coefficients, const Band *band, unsigned number, Loss *loss) {
  for (int index = 0; index < source->num_components; index++) {
    const jpeg_component_info *component = &source->comp_info[index];
    Targets target = targets(source, index);
    /* Chrominance weighs about twice as much in the colours that come of it (ITU-T T.871). */
    Loss part = {0, 0};
    for (unsigned row = 0; row < (unsigned)component->v_samp_factor; row++) {
      unsigned y = number * (unsigned)component->v_samp_factor + row;
      if (y >= component->height_in_blocks) break;
      JBLOCKARRAY blocks =
          source->mem->access_virt_barray((j_common_ptr)source, coefficients[index], y, 1, loss == NULL);
      part.samples += 64.0 * component->width_in_blocks;
      for (unsigned x = 0; x < component->width_in_blocks; x++) {
        Cover covers[64];
        JCOEF change[64];
        if (!block_cover(source, component, band, x, row, covers)) continue;
        block_change(blocks[0][x], component->quant_table, covers, target, change, loss ? &part : NULL);
        for (int i = 0; i < 64 && loss == NULL; i++) blocks[0][x][i] = (JCOEF)(blocks[0][x][i] + change[i]);
      }
    }
    if (loss != NULL && part.samples > 0) loss->squares += (index == 0 ? 1 : 2) * part.squares / part.samples;
  }
  if (loss != NULL) loss->samples += 1;
}

static bool band_create(j_decompress_ptr source, Band *band) {
  *band = (Band){.width = (int)source->image_width, .rows = source->max_v_samp_factor * 8};
  band->covers = malloc((size_t)band->width * (size_t)band->rows * sizeof *band->covers);
  band->is_covered = calloc((size_t)band->rows, sizeof *band->is_covered);
  return band->covers != NULL && band->is_covered != NULL;
}

static void band_free(Band *band) {
  free(band->covers);
  free(band->is_covered);
}

/* Finds the covers under one row of blocks; false where all is bare. Below the picture its last row goes on.
 */
static bool band_fill(Band *band, const Mark *mark, int top, int height) {
  bool is_covered = false;
  for (int y = 0; y < band->rows; y++) {
    int at = top + y < height ? top + y : height - 1;
    band->is_covered[y] = mark_row(mark, at, band->covers + (size_t)y * (size_t)band->width);
    is_covered |= band->is_covered[y];
  }
  return is_covered;
}

static void mark_all(j_decompress_ptr source, jvirt_barray_ptr *coefficients, Band *band, const Mark *mark) {
  int height = (int)source->image_height;
  for (int top = 0; top < height; top += band->rows) {
    if (!band_fill(band, mark, top, height)) continue;
    mark_blocks(source, coefficients, band, (unsigned)(top / band->rows), NULL);
  }
}

/* Whether rounding would cost bare samples more than 48 dB allow, by the look of some rows. */
static bool is_coarse(j_decompress_ptr source, jvirt_barray_ptr *coefficients, Band *band, const Mark *mark) {
  const int height = (int)source->image_height, most_rows = 32;
  const int rows = (height + band->rows - 1) / band->rows, stride = 1 + rows / most_rows;
  Loss loss = {0, 0};
  for (int row = 0; row < rows; row += stride) {
    if (band_fill(band, mark, row * band->rows, height)) {
      mark_blocks(source, coefficients, band, (unsigned)row, &loss);
    } else {
      loss.samples += 1;
    }
  }
  return loss.samples > 0 && loss.squares / loss.samples > 255.0 * 255.0 / pow(10, 4.8);
}

/* The largest divisor of a step that is fine enough. */
static unsigned fine_step(unsigned step) {
  const unsigned finest = 4;
  for (unsigned fine = finest; fine > 1; fine--) {
    if (step % fine == 0) return fine;
  }
  return 1;
}

/* Divides the steps of all tables by whole numbers and multiplies all coefficients by them: the picture stays
   as it is to the bit, and what is added to it is rounded less. */
static void refine(j_decompress_ptr source, jvirt_barray_ptr *coefficients) {
  for (int index = 0; index < source->num_components; index++) {
    jpeg_component_info *component = &source->comp_info[index];
    unsigned factors[64];
    for (int i = 0; i < 64; i++) {
      unsigned step = component->quant_table->quantval[i];
      factors[i] = step / fine_step(step);
      component->quant_table->quantval[i] = (UINT16)fine_step(step);
    }
    /* libjpeg keeps a table for each component, and compares it with the one that is written. */
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

ImagingStatus imaging_jpeg_mark(
    const uint8_t *bytes, size_t count, int orientation, const ImagingText *text, ImagingStyle style,
    ImagingFile *file) {
  JPEGErrors errors;
  struct jpeg_decompress_struct source = {0};
  struct jpeg_compress_struct target = {0};
  unsigned char *result = NULL;
  unsigned long result_count = 0;
  Mark *volatile mark = NULL;
  Band band = {0};
  jpeg_errors_start(&errors);
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
      mark = mark_create(text, style, width, height, orientation);
      if (mark == NULL || !band_create(&source, &band)) {
        errors.status = imaging_fail(IMAGING_NO_MEMORY, "no memory for the text");
      } else {
        if (is_coarse(&source, coefficients, &band, mark)) refine(&source, coefficients);
        mark_all(&source, coefficients, &band, mark);
        write_coefficients(&source, &target, coefficients, &result, &result_count);
        *file = (ImagingFile){result, result_count, width, height};
      }
    }
  }
  mark_free(mark);
  band_free(&band);
  jpeg_destroy_compress(&target);
  jpeg_destroy_decompress(&source);
  if (errors.status != IMAGING_DONE) {
    free(result);
    *file = (ImagingFile){0};
  }
  return errors.status;
}
