/* Starts libvips with a single loader, and stores error messages. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <gmodule.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

#include <vips/vector.h>

static char last_message[256] = "";

const char *imaging_message(void) { return last_message; }

void imaging_free(void *bytes) { free(bytes); }

ImagingStatus imaging_fail(ImagingStatus status, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(last_message, sizeof last_message, format, arguments);
  va_end(arguments);
  for (char *at = last_message; *at; at++) {
    if ((unsigned char)*at < ' ' || (unsigned char)*at > '~') *at = ' ';
  }
  return status;
}

ImagingStatus imaging_fail_vips(void) {
  const char *words = vips_error_buffer();
  static const struct {
    const char *words;
    ImagingStatus status;
  } kinds[] = {
      {"ncrypted", IMAGING_ENCRYPTED},           {"out of memory", IMAGING_NO_MEMORY},
      {"Unable to allocate", IMAGING_NO_MEMORY}, {"emory allocation", IMAGING_NO_MEMORY},
      {"remature end", IMAGING_TRUNCATED},       {"out of data", IMAGING_TRUNCATED},
      {"nd of stream", IMAGING_TRUNCATED},       {"runcated", IMAGING_TRUNCATED},
  };
  ImagingStatus status = IMAGING_DAMAGED;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (strstr(words, kinds[i].words) != NULL) {
      status = kinds[i].status;
      break;
    }
  }
  imaging_fail(status, "%s", words);
  vips_error_clear();
  return status;
}

static bool has_poppler_data, lacks_fonts;

bool imaging_lacks_fonts(void) { return lacks_fonts && !has_poppler_data; }

/* Keeps of all messages only that poppler could not show a text. */
static void discard_message(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {
  (void)domain, (void)level, (void)data;
  if (strstr(message, "Missing language pack") || strstr(message, "Unknown CMap")) lacks_fonts = true;
}

/* Loads a libvips module from the library's directory. */
static bool load_module(const char *name) {
  Dl_info library;
  if (dladdr((void *)vips_version, &library) == 0 || library.dli_fname == NULL) return false;
  char *folder = g_path_get_dirname(library.dli_fname);
  char *path = g_strdup_printf("%s/vips-modules-%d.%d/%s.so", folder, vips_version(0), vips_version(1), name);
  GModule *module = g_module_open(path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  if (module != NULL)
    g_module_make_resident(module);
  else
    imaging_fail(IMAGING_FAILED, "no %s", path);
  g_free(path);
  g_free(folder);
  return module != NULL;
}

ImagingStatus imaging_start(ImagingFormat format) {
  /* libvips would otherwise load every module, and write large pictures to a world-readable file. */
  setenv("VIPSHOME", "/nonexistent", 1);
  setenv("VIPS_DISC_THRESHOLD", "64g", 1);
  mallopt(M_ARENA_MAX, 2);
  has_poppler_data = access("/usr/share/poppler/cMap", R_OK) == 0;
  g_log_set_default_handler(discard_message, NULL);
  if (vips_init("quickvault-imaging") != 0) return imaging_fail_vips();
  vips_concurrency_set(2);
  vips_cache_set_max(0);
  vips_vector_set_enabled(FALSE);
  if (format == IMAGING_HEIF && !load_module("vips-heif")) return IMAGING_FAILED;
  if (format == IMAGING_PDF && !load_module("vips-poppler")) return IMAGING_FAILED;
  vips_operation_block_set("VipsForeignLoad", TRUE);
  imaging_allow(format);
  return IMAGING_DONE;
}

void imaging_allow(ImagingFormat format) {
  static const char *const loaders[] = {
      [IMAGING_JPEG] = "VipsForeignLoadJpegBuffer",
      [IMAGING_PNG] = "VipsForeignLoadPngBuffer",
      [IMAGING_HEIF] = "VipsForeignLoadHeifBuffer",
      [IMAGING_PDF] = "VipsForeignLoadPdfBuffer",
  };
  vips_operation_block_set(loaders[format], FALSE);
}
