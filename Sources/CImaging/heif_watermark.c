/* Watermarks a HEIC image: draws on the stored planes and encodes them with the same sampling, depth and
 * profile. */
#include "heif.h"

#include <stdlib.h>
#include <string.h>

/* A plane, with samples of one or two bytes. */
typedef struct {
  uint8_t *bytes;
  int stride, width, height;
  float top;
  bool is_deep;
} Plane;

static Plane open_plane(struct heif_image *image, enum heif_channel channel) {
  Plane plane = {0};
  if (!heif_image_has_channel(image, channel)) return plane;
  int bits = heif_image_get_bits_per_pixel_range(image, channel);
  plane.bytes = heif_image_get_plane(image, channel, &plane.stride);
  plane.width = heif_image_get_width(image, channel);
  plane.height = heif_image_get_height(image, channel);
  plane.top = (float)((1 << bits) - 1);
  plane.is_deep = bits > 8;
  return plane;
}

/* The sample values of the outline and of the text. */
typedef struct {
  float light, dark;
} Values;

/* Black and white in full and limited range (ITU-T H.273, VideoFullRangeFlag). */
static Values values_of(enum heif_channel channel, float top, bool is_full) {
  switch (channel) {
    case heif_channel_Y: {
      float black = is_full ? 0 : top * 16 / 255, white = is_full ? top : top * 235 / 255;
      return (Values){white, black + TEXT_LUMINANCE * (white - black)};
    }
    case heif_channel_Cb:
    case heif_channel_Cr: return (Values){(top + 1) / 2, (top + 1) / 2};
    case heif_channel_Alpha: return (Values){top, top};
    default: return (Values){top, TEXT_LUMINANCE * top};
  }
}

static void blend_sample(Plane plane, int x, int y, Coverage coverage, Values target) {
  uint8_t *row = plane.bytes + (size_t)y * (size_t)plane.stride;
  if (plane.is_deep) {
    uint16_t *sample = (uint16_t *)row + x;
    *sample = (uint16_t)(blend(*sample, coverage, target.light, target.dark) + 0.5f);
  } else {
    row[x] = (uint8_t)(blend(row[x], coverage, target.light, target.dark) + 0.5f);
  }
}

/* Draws on a plane, which may be subsampled: each sample gets the mean coverage of its pixels. */
static bool draw_on_plane(Plane plane, int width, int height, const Watermark *watermark, Values target) {
  if (plane.bytes == NULL) return true;
  int across = (width + plane.width - 1) / plane.width, down = (height + plane.height - 1) / plane.height;
  Coverage *row = malloc((size_t)width * sizeof *row), *sum = malloc((size_t)plane.width * sizeof *sum);
  bool has_room = row != NULL && sum != NULL;
  for (int y = 0; y < plane.height && has_room; y++) {
    bool is_covered = false;
    memset(sum, 0, (size_t)plane.width * sizeof *sum);
    for (int j = 0; j < down; j++) {
      int at = y * down + j;
      if (!watermark_row(watermark, at < height ? at : height - 1, row)) continue;
      is_covered = true;
      for (int x = 0; x < plane.width * across; x++) {
        Coverage coverage = row[x < width ? x : width - 1];
        sum[x / across].light += coverage.light;
        sum[x / across].dark += coverage.dark;
      }
    }
    for (int x = 0; x < plane.width && is_covered; x++) {
      if (sum[x].light == 0 && sum[x].dark == 0) continue;
      float area = (float)(across * down);
      blend_sample(plane, x, y, (Coverage){sum[x].light / area, sum[x].dark / area}, target);
    }
  }
  free(row);
  free(sum);
  return has_room;
}

static bool draw_on_planes(
    struct heif_image *image, bool is_full, int width, int height, const Watermark *watermark) {
  bool is_drawn = true;
  for (size_t i = 0; i < HEIC_CHANNELS && is_drawn; i++) {
    Plane plane = open_plane(image, heic_channels[i]);
    Values target = values_of(heic_channels[i], plane.top, is_full);
    is_drawn = draw_on_plane(plane, width, height, watermark, target);
  }
  return is_drawn;
}

/* The sampling of the planes, or the stored one if tiles were merged in RGB. */
static const char *sampling(const struct heif_image *image, int stored) {
  switch (heif_image_get_colorspace(image) == heif_colorspace_YCbCr ? (int)heif_image_get_chroma_format(image)
                                                                    : stored) {
    case heif_chroma_444: return "444";
    case heif_chroma_422: return "422";
    default: return "420";
  }
}

/* Fast, while pixels that the text does not touch stay above 45 dB PSNR. */
static struct heif_error configure_encoder(struct heif_encoder *encoder, const char *chroma) {
  struct heif_error error = heif_encoder_set_lossy_quality(encoder, 90);
  if (error.code == heif_error_Ok) error = heif_encoder_set_parameter_string(encoder, "preset", "ultrafast");
  if (error.code == heif_error_Ok) error = heif_encoder_set_parameter_string(encoder, "chroma", chroma);
  return error;
}

static struct heif_error append(struct heif_context *context, const void *bytes, size_t count, void *data) {
  (void)context;
  ImagingFile *file = data;
  file->bytes = malloc(count);
  file->count = count;
  struct heif_error error = {heif_error_Ok, heif_suberror_Unspecified, "done"};
  if (file->bytes == NULL)
    return (struct heif_error){heif_error_Memory_allocation_error, heif_suberror_Unspecified, "no memory"};
  memcpy(file->bytes, bytes, count);
  return error;
}

static struct heif_error encode(
    HEIC source, const char *chroma, bool has_nclx, const uint8_t *exif, size_t exif_count,
    ImagingFile *file) {
  struct heif_context *context = heif_context_alloc();
  struct heif_encoder *encoder = NULL;
  struct heif_image_handle *handle = NULL;
  struct heif_encoding_options *options = heif_encoding_options_alloc();
  struct heif_error error = heif_context_get_encoder_for_format(context, heif_compression_HEVC, &encoder);
  if (error.code == heif_error_Ok) error = configure_encoder(encoder, chroma);
  if (error.code == heif_error_Ok) {
    options->macOS_compatibility_workaround_no_nclx_profile = !has_nclx;
    options->save_two_colr_boxes_when_ICC_and_nclx_available = has_nclx;
    error = heif_context_encode_image(context, source.image, encoder, options, &handle);
  }
  if (error.code == heif_error_Ok && exif) {
    error = heif_context_add_exif_metadata(context, handle, exif, (int)exif_count);
  }
  if (error.code == heif_error_Ok) {
    struct heif_writer writer = {.writer_api_version = 1, .write = append};
    error = heif_context_write(context, &writer, file);
  }
  if (handle) heif_image_handle_release(handle);
  if (encoder) heif_encoder_release(encoder);
  heif_encoding_options_free(options);
  heif_context_free(context);
  return error;
}

ImagingStatus imaging_heif_watermark(
    const uint8_t *bytes, size_t count, int upright, int chroma, int orientation, const ImagingText *text,
    ImagingStyle style, const uint8_t *exif, size_t exif_count, ImagingFile *file) {
  HEIC heic;
  Watermark *watermark = NULL;
  *file = (ImagingFile){0};
  ImagingStatus status = heic_open(bytes, count, &heic);
  if (status == IMAGING_DONE) status = heic_decode(&heic, upright);
  if (status == IMAGING_DONE) {
    struct heif_color_profile_nclx *nclx = NULL, *declared = NULL;
    heif_image_get_nclx_color_profile(heic.image, &nclx);
    heif_image_handle_get_nclx_color_profile(heic.handle, &declared);
    bool is_full = nclx == NULL || nclx->full_range_flag, has_nclx = declared != NULL;
    if (declared && !nclx) heif_image_set_nclx_color_profile(heic.image, declared);
    if (nclx) heif_nclx_color_profile_free(nclx);
    if (declared) heif_nclx_color_profile_free(declared);
    int width = heif_image_get_primary_width(heic.image), height = heif_image_get_primary_height(heic.image);
    watermark = watermark_create(text, style, width, height, upright ? 1 : orientation);
    if (watermark == NULL || !draw_on_planes(heic.image, is_full, width, height, watermark)) {
      status = imaging_fail(IMAGING_NO_MEMORY, "no memory for the text");
    } else {
      struct heif_error error = encode(heic, sampling(heic.image, chroma), has_nclx, exif, exif_count, file);
      file->width = width;
      file->height = height;
      if (error.code != heif_error_Ok) status = imaging_fail(IMAGING_FAILED, "%s", error.message);
    }
  }
  watermark_free(watermark);
  heic_close(&heic);
  if (status != IMAGING_DONE) {
    free(file->bytes);
    *file = (ImagingFile){0};
  }
  return status;
}
