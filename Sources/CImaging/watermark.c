/* Draws the rotated text once, as a tile, and repeats the tile over the picture in staggered rows. */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The smallest legible em, and the largest tile, in pixels. */
static const double min_em = 8, max_tile_size = 12000;
/* The outline's width in ems, and its opacity relative to the text's. */
static const double outline_ems = 1.0 / 7, outline_strength = 1;

typedef struct {
  int x, y;
} Position;

struct Watermark {
  int width, height;
  /* Two bytes per pixel: the coverage of the outline and of the text. */
  uint8_t *tile;
  int tile_width, tile_height;
  /* The upper left corners of the tiles. */
  Position *positions;
  size_t position_count;
  float light, dark;
};

/* Maps displayed to stored coordinates, both relative to the picture's centre. */
static cairo_matrix_t orientation_matrix(int orientation) {
  static const signed char parts[9][4] = {
      {1, 0, 0, 1}, {1, 0, 0, 1},  {-1, 0, 0, 1},  {-1, 0, 0, -1}, {1, 0, 0, -1},
      {0, 1, 1, 0}, {0, 1, -1, 0}, {0, -1, -1, 0}, {0, -1, 1, 0},
  };
  const signed char *part = parts[orientation >= 1 && orientation <= 8 ? orientation : 1];
  cairo_matrix_t matrix;
  cairo_matrix_init(&matrix, part[0], part[2], part[1], part[3], 0, 0);
  return matrix;
}

/* The bounding box of a transformed rectangle. */
static void bounding_box(cairo_matrix_t matrix, double width, double height, double *across, double *down) {
  *across = fabs(matrix.xx) * width + fabs(matrix.xy) * height;
  *down = fabs(matrix.yx) * width + fabs(matrix.yy) * height;
}

/* The em in pixels: as requested, but so that the text fits into the picture and is legible. */
static double em_pixels(const ImagingText *text, ImagingStyle style, int width, int height) {
  double em = style.size * fmin(width, height);
  double reach = fmin(0.9 * hypot(width, height), max_tile_size);
  double longest = fmax(text->width, text->height) / TEXT_EM;
  if (longest > 0) em = fmin(em, reach / longest);
  return fmax(em, min_em);
}

static bool draw_tile(Watermark *watermark, const ImagingText *text, cairo_matrix_t transform, double em) {
  double across, down, margin = em * outline_ems + 2;
  bounding_box(
      transform, text->width * em / TEXT_EM + 2 * margin, text->height * em / TEXT_EM + 2 * margin, &across,
      &down);
  watermark->tile_width = (int)ceil(across);
  watermark->tile_height = (int)ceil(down);
  watermark->tile = malloc((size_t)watermark->tile_width * (size_t)watermark->tile_height * 2);
  bool is_drawn = watermark->tile != NULL;
  for (int part = 0; part < 2 && is_drawn; part++) {
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_A8, watermark->tile_width, watermark->tile_height);
    cairo_t *context = cairo_create(surface);
    cairo_translate(context, watermark->tile_width / 2.0, watermark->tile_height / 2.0);
    cairo_transform(context, &transform);
    cairo_scale(context, em / TEXT_EM, em / TEXT_EM);
    cairo_append_path(context, text->path);
    if (part == 0) {
      cairo_set_line_width(context, 2 * outline_ems * TEXT_EM / 2);
      cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
      cairo_stroke_preserve(context);
    }
    cairo_fill(context);
    cairo_surface_flush(surface);
    const uint8_t *data = cairo_image_surface_get_data(surface);
    int stride = cairo_image_surface_get_stride(surface);
    is_drawn = cairo_status(context) == CAIRO_STATUS_SUCCESS && data != NULL;
    for (int y = 0; y < watermark->tile_height && is_drawn; y++) {
      for (int x = 0; x < watermark->tile_width; x++) {
        watermark->tile[((size_t)y * (size_t)watermark->tile_width + (size_t)x) * 2 + (size_t)part] =
            data[(size_t)y * (size_t)stride + (size_t)x];
      }
    }
    cairo_destroy(context);
    cairo_surface_destroy(surface);
  }
  return is_drawn;
}

/* Removes the outline below the text, so that the text's coverage does not depend on it. */
static void subtract_text(Watermark *watermark) {
  size_t count = (size_t)watermark->tile_width * (size_t)watermark->tile_height;
  for (size_t i = 0; i < count; i++) {
    uint8_t *pair = watermark->tile + 2 * i;
    pair[0] = (uint8_t)(pair[0] * (255 - pair[1]) / 255);
  }
}

static bool add_position(Watermark *watermark, size_t *room, double x, double y) {
  if (x > watermark->width || y > watermark->height) return true;
  if (x + watermark->tile_width < 0 || y + watermark->tile_height < 0) return true;
  if (watermark->position_count == *room) {
    *room = *room ? *room * 2 : 64;
    Position *more = realloc(watermark->positions, *room * sizeof *more);
    if (more == NULL) return false;
    watermark->positions = more;
  }
  watermark->positions[watermark->position_count++] = (Position){(int)lround(x), (int)lround(y)};
  return true;
}

/* Rows run along the text; every second one is shifted by half a step. One text is at the centre. */
static bool place_tiles(
    Watermark *watermark, const ImagingText *text, cairo_matrix_t transform, double em, double spacing) {
  double step = text->width * em / TEXT_EM + (spacing + 0.5) * em;
  double line = text->height * em / TEXT_EM + spacing * em;
  double diagonal = hypot(watermark->width, watermark->height);
  double radius = (diagonal + hypot(watermark->tile_width, watermark->tile_height)) / 2;
  long rows = (long)ceil(radius / line), columns = (long)ceil(radius / step) + 1;
  size_t room = 0;
  for (long row = -rows; row <= rows; row++) {
    for (long column = -columns; column <= columns; column++) {
      double x = ((double)column + (row % 2 ? 0.5 : 0)) * step, y = (double)row * line;
      cairo_matrix_transform_point(&transform, &x, &y);
      x += (watermark->width - watermark->tile_width) / 2.0;
      y += (watermark->height - watermark->tile_height) / 2.0;
      if (!add_position(watermark, &room, x, y)) return false;
    }
  }
  return true;
}

Watermark *watermark_create(
    const ImagingText *text, ImagingStyle style, int width, int height, int orientation) {
  Watermark *watermark = calloc(1, sizeof *watermark);
  if (watermark == NULL) return NULL;
  watermark->width = width;
  watermark->height = height;
  watermark->dark = (float)(style.opacity / 255);
  watermark->light = (float)(style.opacity * outline_strength / 255);
  double em = em_pixels(text, style, width, height);
  cairo_matrix_t transform = orientation_matrix(orientation);
  cairo_matrix_rotate(&transform, -style.angle * M_PI / 180);
  if (draw_tile(watermark, text, transform, em)) {
    subtract_text(watermark);
    if (place_tiles(watermark, text, transform, em, style.spacing)) return watermark;
  }
  watermark_free(watermark);
  return NULL;
}

void watermark_free(Watermark *watermark) {
  if (watermark == NULL) return;
  free(watermark->tile);
  free(watermark->positions);
  free(watermark);
}

static inline float maximum(float a, float b) { return a > b ? a : b; }

bool watermark_row(const Watermark *watermark, int y, Coverage *row) {
  bool is_covered = false;
  for (size_t i = 0; i < watermark->position_count; i++) {
    Position position = watermark->positions[i];
    if (y < position.y || y >= position.y + watermark->tile_height) continue;
    const uint8_t *line = watermark->tile + (size_t)(y - position.y) * (size_t)watermark->tile_width * 2;
    int start = position.x < 0 ? -position.x : 0;
    int room = watermark->width - position.x;
    int end = watermark->tile_width > room ? room : watermark->tile_width;
    for (int x = start; x < end; x++) {
      if (line[2 * x] == 0 && line[2 * x + 1] == 0) continue;
      if (!is_covered) memset(row, 0, (size_t)watermark->width * sizeof *row);
      is_covered = true;
      Coverage *coverage = &row[position.x + x];
      coverage->light = maximum(coverage->light, (float)line[2 * x] * watermark->light);
      coverage->dark = maximum(coverage->dark, (float)line[2 * x + 1] * watermark->dark);
    }
  }
  return is_covered;
}
