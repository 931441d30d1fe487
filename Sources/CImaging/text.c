/* Converts text to outlines, while fonts are still readable. */
#include "text.h"

#include <math.h>
#include <pango/pangocairo.h>
#include <string.h>

/* Fonts with Chinese come first, so that one face serves a whole text; the last is the system's default. */
static const char *const font_families = "Noto Sans CJK SC,WenQuanYi Micro Hei,DejaVu Sans,Sans";

static bool has_outline(PangoFont *font, PangoGlyphInfo glyph) {
  PangoRectangle ink;
  pango_font_get_glyph_extents(font, glyph.glyph, &ink, NULL);
  if (ink.width == 0 || ink.height == 0) return true;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *context = cairo_create(surface);
  PangoGlyphString string = {.num_glyphs = 1, .glyphs = &glyph, .log_clusters = (int[]){0}};
  pango_cairo_glyph_string_path(context, font, &string);
  cairo_path_t *path = cairo_copy_path(context);
  bool has = path->num_data > 1;
  cairo_path_destroy(path);
  cairo_destroy(context);
  cairo_surface_destroy(surface);
  return has;
}

/* Appends the characters of [start, end) that are not in the list yet. */
static void add_characters(GString *list, const char *start, const char *end) {
  for (const char *at = start; at < end; at = g_utf8_next_char(at)) {
    gunichar character = g_utf8_get_char(at);
    if (character > ' ' && g_utf8_strchr(list->str, -1, character) == NULL) {
      g_string_append_unichar(list, character);
    }
  }
}

/* The characters without an outline in any font; bitmap glyphs, such as colour emoji, do not count. */
static char *missing_characters(PangoLayout *layout, const char *text) {
  GString *list = g_string_new(NULL);
  PangoLayoutIter *iterator = pango_layout_get_iter(layout);
  do {
    PangoLayoutRun *run = pango_layout_iter_get_run_readonly(iterator);
    if (run == NULL) continue;
    PangoGlyphItemIter cluster;
    gboolean more = pango_glyph_item_iter_init_start(&cluster, run, text);
    for (; more; more = pango_glyph_item_iter_next_cluster(&cluster)) {
      int low = MIN(cluster.start_glyph, cluster.end_glyph + 1);
      int high = MAX(cluster.start_glyph + 1, cluster.end_glyph);
      for (int i = low; i < high; i++) {
        PangoGlyphInfo glyph = run->glyphs->glyphs[i];
        if (glyph.glyph == PANGO_GLYPH_EMPTY) continue;
        if ((glyph.glyph & PANGO_GLYPH_UNKNOWN_FLAG) || !has_outline(run->item->analysis.font, glyph)) {
          add_characters(list, text + cluster.start_index, text + cluster.end_index);
        }
      }
    }
  } while (pango_layout_iter_next_run(iterator));
  pango_layout_iter_free(iterator);
  return g_string_free(list, list->len == 0);
}

static PangoLayout *lay_out(PangoFontMap *fonts, const char *text) {
  PangoContext *context = pango_font_map_create_context(fonts);
  PangoLayout *layout = pango_layout_new(context);
  g_object_unref(context);
  PangoFontDescription *description = pango_font_description_from_string(font_families);
  pango_font_description_set_absolute_size(description, TEXT_EM * PANGO_SCALE);
  pango_layout_set_font_description(layout, description);
  pango_font_description_free(description);
  cairo_font_options_t *options = cairo_font_options_create();
  cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options(pango_layout_get_context(layout), options);
  cairo_font_options_destroy(options);
  pango_layout_set_text(layout, text, -1);
  pango_layout_set_alignment(layout, PANGO_ALIGN_CENTER);
  pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR);
  pango_layout_set_width(layout, TEXT_EM * TEXT_WRAP_EMS * PANGO_SCALE);
  return layout;
}

ImagingText *imaging_text_create(const char *text, char **missing) {
  *missing = NULL;
  ImagingText *result = calloc(1, sizeof *result);
  if (result == NULL) return NULL;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_A8, 1, 1);
  cairo_t *context = cairo_create(surface);
  /* Use a separate font map: its thread ends with it, before the process is confined. */
  PangoFontMap *fonts = pango_cairo_font_map_new();
  PangoLayout *layout = lay_out(fonts, text);
  *missing = missing_characters(layout, pango_layout_get_text(layout));

  PangoRectangle box;
  pango_layout_get_extents(layout, NULL, &box);
  result->width = (double)box.width / PANGO_SCALE;
  result->height = (double)box.height / PANGO_SCALE;
  /* Move the origin to the centre of the box. */
  cairo_translate(
      context, -((double)box.x / PANGO_SCALE + result->width / 2),
      -((double)box.y / PANGO_SCALE + result->height / 2));
  pango_cairo_layout_path(context, layout);
  cairo_identity_matrix(context);
  result->path = cairo_copy_path(context);
  bool is_whole = result->path->status == CAIRO_STATUS_SUCCESS;
  g_object_unref(layout);
  g_object_unref(fonts);
  cairo_destroy(context);
  cairo_surface_destroy(surface);
  if (is_whole) return result;
  imaging_text_free(result);
  return NULL;
}

bool imaging_text_is_visible(const ImagingText *text) {
  for (int i = 0; i < text->path->num_data; i += text->path->data[i].header.length) {
    cairo_path_data_type_t type = text->path->data[i].header.type;
    if (type == CAIRO_PATH_LINE_TO || type == CAIRO_PATH_CURVE_TO) return true;
  }
  return false;
}

void imaging_text_free(ImagingText *text) {
  if (text == NULL) return;
  cairo_path_destroy(text->path);
  free(text);
}
