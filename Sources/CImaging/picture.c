/* Headers, decoding as a check, PNG watermarks and thumbnails, through libvips. */
#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <vips/vips.h>

static int open_picture(
    ImagingFormat format, const uint8_t *bytes, size_t count, double scale, VipsAccess access,
    VipsImage **picture) {
  void *buffer = (void *)bytes;
  switch (format) {
    case IMAGING_JPEG:
      return vips_jpegload_buffer(
          buffer, count, picture, "fail_on", VIPS_FAIL_ON_TRUNCATED, "access", access, NULL);
    case IMAGING_PNG:
      return vips_pngload_buffer(
          buffer, count, picture, "fail_on", VIPS_FAIL_ON_ERROR, "access", access, NULL);
    case IMAGING_HEIF:
      return vips_heifload_buffer(buffer, count, picture, "fail_on", VIPS_FAIL_ON_ERROR, NULL);
    case IMAGING_PDF: return vips_pdfload_buffer(buffer, count, picture, "scale", scale, NULL);
  }
  return -1;
}

ImagingStatus imaging_header(
    ImagingFormat format, const uint8_t *bytes, size_t count, int64_t limit, ImagingHeader *header) {
  if (format == IMAGING_HEIF) {
    ImagingStatus status = imaging_heif_header(bytes, count, header);
    if (status != IMAGING_DONE) return status;
  } else {
    VipsImage *picture = NULL;
    if (open_picture(format, bytes, count, 1, VIPS_ACCESS_SEQUENTIAL, &picture) != 0)
      return imaging_fail_vips();
    *header = (ImagingHeader){
        vips_image_get_width(picture), vips_image_get_height(picture), vips_image_get_n_pages(picture)};
    g_object_unref(picture);
  }
  bool is_too_large = format != IMAGING_PDF && (int64_t)header->width * header->height > limit;
  if (is_too_large)
    return imaging_fail(IMAGING_TOO_MANY_PIXELS, "%d x %d pixels", header->width, header->height);
  return IMAGING_DONE;
}

/* Decodes every pixel; `*uniform` receives whether all have the same value. */
static int find_uniform(VipsImage *picture, int *uniform) {
  VipsImage *statistics = NULL;
  if (vips_stats(picture, &statistics, NULL) != 0) return -1;
  *uniform = 1;
  for (int band = 1; band <= picture->Bands; band++) {
    if (*VIPS_MATRIX(statistics, 0, band) != *VIPS_MATRIX(statistics, 1, band)) *uniform = 0;
  }
  g_object_unref(statistics);
  return 0;
}

ImagingStatus imaging_check(ImagingFormat format, const uint8_t *bytes, size_t count, int *uniform) {
  if (format == IMAGING_JPEG) return imaging_jpeg_check(bytes, count, uniform);
  if (format == IMAGING_HEIF) return imaging_heif_check(bytes, count, uniform);
  VipsImage *picture = NULL;
  int result = open_picture(format, bytes, count, 1, VIPS_ACCESS_SEQUENTIAL, &picture);
  if (result == 0 && format == IMAGING_PDF) {
    /* Render a small page: a page may be metres wide. */
    double scale = 256.0 / fmax(picture->Xsize, picture->Ysize);
    g_clear_object(&picture);
    result = open_picture(format, bytes, count, scale, VIPS_ACCESS_SEQUENTIAL, &picture);
  }
  if (result == 0) result = find_uniform(picture, uniform);
  g_clear_object(&picture);
  return result == 0 ? IMAGING_DONE : imaging_fail_vips();
}

/* Draws the text on a grey or RGB picture, with or without alpha. */
static int draw_on_picture(
    VipsImage *source, int orientation, const ImagingText *text, ImagingStyle style, VipsImage **result) {
  size_t size = 0;
  void *values = vips_image_write_to_memory(source, &size);
  if (values == NULL) return -1;
  Watermark *watermark = watermark_create(text, style, source->Xsize, source->Ysize, orientation);
  Pixels pixels = {
      values,
      source->Xsize,
      source->Ysize,
      source->Bands,
      vips_image_hasalpha(source),
      source->BandFmt == VIPS_FORMAT_USHORT};
  bool is_drawn = watermark != NULL && draw_watermark(pixels, watermark);
  watermark_free(watermark);
  VipsImage *whole = is_drawn
                         ? vips_image_new_from_memory_copy(
                               values, size, source->Xsize, source->Ysize, source->Bands, source->BandFmt)
                         : NULL;
  g_free(values);
  if (!is_drawn) vips_error("watermark", "out of memory");
  if (whole == NULL) return -1;
  int code = vips_copy(whole, result, "interpretation", source->Type, NULL);
  g_object_unref(whole);
  return code;
}

static ImagingStatus finish(int result, VipsImage *picture, void *bytes, size_t count, ImagingFile *file) {
  if (result == 0) {
    *file = (ImagingFile){bytes, count, picture->Xsize, picture->Ysize};
    return IMAGING_DONE;
  }
  *file = (ImagingFile){0};
  return imaging_fail_vips();
}

ImagingStatus imaging_png_watermark(
    const uint8_t *bytes, size_t count, int orientation, const ImagingText *text, ImagingStyle style,
    ImagingFile *file) {
  VipsImage *source = NULL, *watermarked = NULL;
  void *result = NULL;
  size_t result_count = 0;
  int code = open_picture(IMAGING_PNG, bytes, count, 1, VIPS_ACCESS_SEQUENTIAL, &source);
  if (code == 0) code = draw_on_picture(source, orientation, text, style, &watermarked);
  if (code == 0) {
    /* Level 2 takes a tenth of the time of level 6, for a tenth more bytes. */
    code = vips_pngsave_buffer(
        watermarked, &result, &result_count, "compression", 2, "filter", VIPS_FOREIGN_PNG_FILTER_SUB, "strip",
        TRUE, NULL);
  }
  ImagingStatus status = finish(code, watermarked, result, result_count, file);
  g_clear_object(&source);
  g_clear_object(&watermarked);
  return status;
}

/* Scales the picture down to `size`, upright. A picture without a colour profile is sRGB; libvips would treat
 * it as something else if it were to convert it. Of a HEIC file the picture itself is scaled, not the preview
 * in it. */
static int shrink(ImagingFormat format, const uint8_t *bytes, size_t count, int size, VipsImage **small) {
  VipsImage *page = NULL;
  if (format != IMAGING_PDF) {
    if (open_picture(format, bytes, count, 1, VIPS_ACCESS_SEQUENTIAL, &page) != 0) return -1;
    bool has_profile =
        vips_image_get_typeof(page, VIPS_META_ICC_NAME) != 0 || page->Type == VIPS_INTERPRETATION_CMYK;
    const char *profile = has_profile ? "srgb" : NULL;
    int result =
        format == IMAGING_HEIF
            ? vips_thumbnail_image(
                  page, small, size, "height", size, "size", VIPS_SIZE_DOWN, "export_profile", profile, NULL)
            : vips_thumbnail_buffer(
                  (void *)bytes, count, small, size, "height", size, "size", VIPS_SIZE_DOWN, "fail_on",
                  VIPS_FAIL_ON_TRUNCATED, "export_profile", profile, NULL);
    g_object_unref(page);
    return result;
  }
  if (open_picture(format, bytes, count, 1, VIPS_ACCESS_SEQUENTIAL, &page) != 0) return -1;
  double scale = (double)size / fmax(page->Xsize, page->Ysize);
  g_object_unref(page);
  return open_picture(format, bytes, count, scale, VIPS_ACCESS_SEQUENTIAL, small);
}

/* Converts to 8-bit sRGB, and with `onto_white` puts a white background behind transparent pixels. */
static int flatten(VipsImage *picture, bool onto_white, VipsImage **flat) {
  VipsImage *colours = NULL, *bytes = NULL;
  int result = vips_colourspace(picture, &colours, VIPS_INTERPRETATION_sRGB, NULL);
  if (result == 0) result = vips_cast_uchar(colours, &bytes, NULL);
  if (result == 0) {
    if (onto_white && vips_image_hasalpha(bytes)) {
      VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
      result = vips_flatten(bytes, flat, "background", white, NULL);
      vips_area_unref(VIPS_AREA(white));
    } else {
      result = vips_copy(bytes, flat, NULL);
    }
  }
  g_clear_object(&colours);
  g_clear_object(&bytes);
  return result;
}

ImagingStatus imaging_thumbnail(
    ImagingFormat format, const uint8_t *bytes, size_t count, int size, ImagingOutput output,
    const ImagingText *text, ImagingStyle style, ImagingFile *file) {
  VipsImage *small = NULL, *flat = NULL, *watermarked = NULL;
  void *result = NULL;
  size_t result_count = 0;
  int code = shrink(format, bytes, count, size, &small);
  if (code == 0) code = flatten(small, format == IMAGING_PDF || output == IMAGING_AS_JPEG, &flat);
  if (code == 0 && text != NULL) code = draw_on_picture(flat, 1, text, style, &watermarked);
  VipsImage *final = text != NULL ? watermarked : flat;
  if (code == 0 && output == IMAGING_AS_PNG) {
    code = vips_pngsave_buffer(final, &result, &result_count, "compression", 3, "strip", TRUE, NULL);
  } else if (code == 0) {
    code = vips_jpegsave_buffer(
        final, &result, &result_count, "Q", 85, "optimize_coding", TRUE, "strip", TRUE, NULL);
  }
  ImagingStatus status = finish(code, final, result, result_count, file);
  g_clear_object(&small);
  g_clear_object(&flat);
  g_clear_object(&watermarked);
  return status;
}
