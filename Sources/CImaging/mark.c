/* The text is drawn once, turned, as a stamp, and the stamp is repeated over the picture in staggered rows.
 */
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least em that can be read, and the largest stamp that is drawn, in pixels. */
static const double least_em = 8, largest_stamp = 12000;
/* The outline's width in ems, and how much it covers, as a part of what the text does. */
static const double outline_ems = 1.0 / 7, outline_strength = 1;

typedef struct {
  int x, y;
} Place;

struct Mark {
  int width, height;
  /* The stamp: two bytes a pixel, the outline's cover and the text's. */
  uint8_t *stamp;
  int stamp_width, stamp_height;
  /* Where its upper left corners lie. */
  Place *places;
  size_t place_count;
  float light, dark;
};

/* From the picture as it is seen, around its middle, to the picture as it is stored, around its middle. */
static cairo_matrix_t stored_from_seen(int orientation) {
  static const signed char parts[9][4] = {
      {1, 0, 0, 1}, {1, 0, 0, 1},  {-1, 0, 0, 1},  {-1, 0, 0, -1}, {1, 0, 0, -1},
      {0, 1, 1, 0}, {0, 1, -1, 0}, {0, -1, -1, 0}, {0, -1, 1, 0},
  };
  const signed char *part = parts[orientation >= 1 && orientation <= 8 ? orientation : 1];
  cairo_matrix_t matrix;
  cairo_matrix_init(&matrix, part[0], part[2], part[1], part[3], 0, 0);
  return matrix;
}

/* The box that a turned rectangle takes. */
static void turned_box(cairo_matrix_t matrix, double width, double height, double *across, double *down) {
  *across = fabs(matrix.xx) * width + fabs(matrix.xy) * height;
  *down = fabs(matrix.yx) * width + fabs(matrix.yy) * height;
}

/* The em in pixels: as asked, but never so large that the text is longer than the picture, nor too small to
 * be read. */
static double em_pixels(const ImagingText *text, ImagingStyle style, int width, int height) {
  double em = style.size * fmin(width, height);
  double reach = fmin(0.9 * hypot(width, height), largest_stamp);
  double longest = fmax(text->width, text->height) / TEXT_EM;
  if (longest > 0) em = fmin(em, reach / longest);
  return fmax(em, least_em);
}

static bool draw_stamp(Mark *mark, const ImagingText *text, cairo_matrix_t turn, double em) {
  double across, down, margin = em * outline_ems + 2;
  turned_box(
      turn, text->width * em / TEXT_EM + 2 * margin, text->height * em / TEXT_EM + 2 * margin, &across,
      &down);
  mark->stamp_width = (int)ceil(across);
  mark->stamp_height = (int)ceil(down);
  mark->stamp = malloc((size_t)mark->stamp_width * (size_t)mark->stamp_height * 2);
  bool is_drawn = mark->stamp != NULL;
  for (int part = 0; part < 2 && is_drawn; part++) {
    cairo_surface_t *surface =
        cairo_image_surface_create(CAIRO_FORMAT_A8, mark->stamp_width, mark->stamp_height);
    cairo_t *context = cairo_create(surface);
    cairo_translate(context, mark->stamp_width / 2.0, mark->stamp_height / 2.0);
    cairo_transform(context, &turn);
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
    for (int y = 0; y < mark->stamp_height && is_drawn; y++) {
      for (int x = 0; x < mark->stamp_width; x++) {
        mark->stamp[((size_t)y * (size_t)mark->stamp_width + (size_t)x) * 2 + (size_t)part] =
            data[(size_t)y * (size_t)stride + (size_t)x];
      }
    }
    cairo_destroy(context);
    cairo_surface_destroy(surface);
  }
  return is_drawn;
}

/* The outline does not lie under the text, whose cover would then depend on it. */
static void part_outline(Mark *mark) {
  size_t count = (size_t)mark->stamp_width * (size_t)mark->stamp_height;
  for (size_t i = 0; i < count; i++) {
    uint8_t *pair = mark->stamp + 2 * i;
    pair[0] = (uint8_t)(pair[0] * (255 - pair[1]) / 255);
  }
}

static bool add_place(Mark *mark, size_t *room, double x, double y) {
  if (x > mark->width || y > mark->height || x + mark->stamp_width < 0 || y + mark->stamp_height < 0)
    return true;
  if (mark->place_count == *room) {
    *room = *room ? *room * 2 : 64;
    Place *more = realloc(mark->places, *room * sizeof *more);
    if (more == NULL) return false;
    mark->places = more;
  }
  mark->places[mark->place_count++] = (Place){(int)lround(x), (int)lround(y)};
  return true;
}

/* Rows run along the text; every second one is moved by half a step. One text stands in the middle. */
static bool lay_stamps(Mark *mark, const ImagingText *text, cairo_matrix_t turn, double em, double spacing) {
  double step = text->width * em / TEXT_EM + (spacing + 0.5) * em;
  double line = text->height * em / TEXT_EM + spacing * em;
  double radius = hypot(mark->width, mark->height) / 2 + hypot(mark->stamp_width, mark->stamp_height) / 2;
  long rows = (long)ceil(radius / line), columns = (long)ceil(radius / step) + 1;
  size_t room = 0;
  for (long row = -rows; row <= rows; row++) {
    for (long column = -columns; column <= columns; column++) {
      double x = ((double)column + (row % 2 ? 0.5 : 0)) * step, y = (double)row * line;
      cairo_matrix_transform_point(&turn, &x, &y);
      x += (mark->width - mark->stamp_width) / 2.0;
      y += (mark->height - mark->stamp_height) / 2.0;
      if (!add_place(mark, &room, x, y)) return false;
    }
  }
  return true;
}

Mark *mark_create(const ImagingText *text, ImagingStyle style, int width, int height, int orientation) {
  Mark *mark = calloc(1, sizeof *mark);
  if (mark == NULL) return NULL;
  mark->width = width;
  mark->height = height;
  mark->dark = (float)(style.opacity / 255);
  mark->light = (float)(style.opacity * outline_strength / 255);
  double em = em_pixels(text, style, width, height);
  cairo_matrix_t turn = stored_from_seen(orientation);
  cairo_matrix_rotate(&turn, -style.angle * M_PI / 180);
  if (draw_stamp(mark, text, turn, em)) {
    part_outline(mark);
    if (lay_stamps(mark, text, turn, em, style.spacing)) return mark;
  }
  mark_free(mark);
  return NULL;
}

void mark_free(Mark *mark) {
  if (mark == NULL) return;
  free(mark->stamp);
  free(mark->places);
  free(mark);
}

static inline float greater(float a, float b) { return a > b ? a : b; }

bool mark_row(const Mark *mark, int y, Cover *row) {
  bool is_covered = false;
  for (size_t i = 0; i < mark->place_count; i++) {
    Place place = mark->places[i];
    if (y < place.y || y >= place.y + mark->stamp_height) continue;
    const uint8_t *line = mark->stamp + (size_t)(y - place.y) * (size_t)mark->stamp_width * 2;
    int start = place.x < 0 ? -place.x : 0;
    int end = place.x + mark->stamp_width > mark->width ? mark->width - place.x : mark->stamp_width;
    for (int x = start; x < end; x++) {
      if (line[2 * x] == 0 && line[2 * x + 1] == 0) continue;
      if (!is_covered) memset(row, 0, (size_t)mark->width * sizeof *row);
      is_covered = true;
      Cover *cover = &row[place.x + x];
      cover->light = greater(cover->light, (float)line[2 * x] * mark->light);
      cover->dark = greater(cover->dark, (float)line[2 * x + 1] * mark->dark);
    }
  }
  return is_covered;
}
