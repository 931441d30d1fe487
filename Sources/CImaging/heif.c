/* HEIC through libheif. Planes are watermarked as they are stored, so no colour space conversion loses
 * anything. */
#include "heif.h"

#include <stdlib.h>
#include <string.h>

const enum heif_channel heic_channels[HEIC_CHANNELS] = {heif_channel_Y,    heif_channel_Cb, heif_channel_Cr,
                                                        heif_channel_R,    heif_channel_G,  heif_channel_B,
                                                        heif_channel_Alpha};

static ImagingStatus fail(struct heif_error error) {
  ImagingStatus status = IMAGING_DAMAGED;
  if (error.code == heif_error_Memory_allocation_error) status = IMAGING_NO_MEMORY;
  if (error.code == heif_error_Unsupported_feature || error.code == heif_error_Unsupported_filetype) {
    status = IMAGING_UNSUPPORTED;
  }
  if (error.subcode == heif_suberror_End_of_data) status = IMAGING_TRUNCATED;
  if (error.subcode == heif_suberror_Security_limit_exceeded) status = IMAGING_TOO_MANY_PIXELS;
  return imaging_fail(status, "%s", error.message ? error.message : "libheif failed");
}

ImagingStatus heic_open(const uint8_t *bytes, size_t count, HEIC *heic) {
  memset(heic, 0, sizeof *heic);
  heic->context = heif_context_alloc();
  if (heic->context == NULL) return imaging_fail(IMAGING_NO_MEMORY, "no memory for libheif");
  struct heif_error error = heif_context_read_from_memory_without_copy(heic->context, bytes, count, NULL);
  if (error.code == heif_error_Ok)
    error = heif_context_get_primary_image_handle(heic->context, &heic->handle);
  if (error.code == heif_error_Ok) return IMAGING_DONE;
  /* The context owns the error's message. */
  ImagingStatus status = fail(error);
  heic_close(heic);
  return status;
}

void heic_close(HEIC *heic) {
  if (heic->image) heif_image_release(heic->image);
  if (heic->handle) heif_image_handle_release(heic->handle);
  if (heic->context) heif_context_free(heic->context);
  memset(heic, 0, sizeof *heic);
}

ImagingStatus heic_decode(HEIC *heic, bool upright) {
  struct heif_decoding_options *options = heif_decoding_options_alloc();
  if (options == NULL) return imaging_fail(IMAGING_NO_MEMORY, "no memory for libheif");
  options->ignore_transformations = !upright;
  options->strict_decoding = 1;
  struct heif_error error = heif_decode_image(
      heic->handle, &heic->image, heif_colorspace_undefined, heif_chroma_undefined, options);
  heif_decoding_options_free(options);
  if (error.code != heif_error_Ok) return fail(error);
  struct heif_error warning;
  if (heif_image_get_decoding_warnings(heic->image, 0, &warning, 1) > 0) return fail(warning);
  return IMAGING_DONE;
}

ImagingStatus imaging_heif_header(const uint8_t *bytes, size_t count, ImagingHeader *header) {
  HEIC heic;
  ImagingStatus status = heic_open(bytes, count, &heic);
  if (status != IMAGING_DONE) return status;
  *header = (ImagingHeader){
      heif_image_handle_get_width(heic.handle), heif_image_handle_get_height(heic.handle),
      heif_context_get_number_of_top_level_images(heic.context)};
  heic_close(&heic);
  return IMAGING_DONE;
}

/* Whether all samples of a plane have the same value. */
static bool is_plane_uniform(const struct heif_image *image, enum heif_channel channel) {
  if (!heif_image_has_channel(image, channel)) return true;
  int stride = 0, width = heif_image_get_width(image, channel),
      height = heif_image_get_height(image, channel);
  const uint8_t *plane = heif_image_get_plane_readonly(image, channel, &stride);
  size_t bytes = (size_t)(heif_image_get_bits_per_pixel_range(image, channel) > 8 ? 2 : 1);
  size_t length = bytes * (size_t)width;
  if (plane == NULL || length == 0) return true;
  for (int y = 0; y < height; y++) {
    const uint8_t *row = plane + (size_t)y * (size_t)stride;
    if (memcmp(row, plane, bytes) != 0 || memcmp(row, row + bytes, length - bytes) != 0) return false;
  }
  return true;
}

ImagingStatus imaging_heif_check(const uint8_t *bytes, size_t count, int *uniform) {
  HEIC heic;
  ImagingStatus status = heic_open(bytes, count, &heic);
  if (status == IMAGING_DONE) status = heic_decode(&heic, false);
  if (status == IMAGING_DONE) {
    *uniform = 1;
    for (size_t i = 0; i < HEIC_CHANNELS; i++) *uniform &= is_plane_uniform(heic.image, heic_channels[i]);
  }
  heic_close(&heic);
  return status;
}
