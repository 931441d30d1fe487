#ifndef QUICKVAULT_CIMAGING_H
#define QUICKVAULT_CIMAGING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Imaging functions on libvips, libheif, libjpeg, pango, cairo and libseccomp.
///
/// All functions work in memory and on one thread. Free returned buffers with imaging_free. Widths, heights
/// and positions are in pixels; orientations are Exif's 1 to 8 (CIPA DC-008, tag 0x0112).

typedef enum {
  IMAGING_DONE = 0,
  /// The file is cut off.
  IMAGING_TRUNCATED,
  /// The file is malformed.
  IMAGING_DAMAGED,
  /// The library does not support a feature of the format.
  IMAGING_UNSUPPORTED,
  IMAGING_TOO_MANY_PIXELS,
  /// The document needs a password.
  IMAGING_ENCRYPTED,
  IMAGING_NO_MEMORY,
  /// A failure that no input should cause; see imaging_message.
  IMAGING_FAILED,
} ImagingStatus;

/// Returns the library's message about the last failure, in ASCII, for developers.
const char *_Nonnull imaging_message(void);

/// Frees a buffer that another function returned; null does nothing.
void imaging_free(void *_Nullable bytes);

// MARK: Starting

typedef enum { IMAGING_JPEG = 1, IMAGING_PNG, IMAGING_HEIF, IMAGING_PDF } ImagingFormat;

/// Starts libvips with one loader, the one that reads `format` from memory; all others stay blocked. The
/// cache is off, pixels are never written to a file, and no code is generated at run time.
ImagingStatus imaging_start(ImagingFormat format);

/// Unblocks another loader, to verify a result in another format; for JPEG and PNG only.
void imaging_allow(ImagingFormat format);

/// Whether poppler said that it cannot show text because its data (poppler-data) is missing: the text of such a
/// page is not drawn.
bool imaging_lacks_fonts(void);

// MARK: Sandbox

typedef enum {
  IMAGING_CONFINED = 0,
  /// seccomp is in force, but the kernel has no Landlock.
  IMAGING_CONFINED_WITHOUT_LANDLOCK,
  /// Confinement failed: do not read the picture.
  IMAGING_NOT_CONFINED,
} ImagingConfinement;

/// Limits the process to 3 GiB of address space, `seconds` of processor time and of elapsed time, no written
/// files and no core file, and makes it not dumpable. Existing lower limits stay.
///
/// Returns 0, or -1 if a limit could not be set.
int imaging_limit(unsigned seconds);

/// Irrevocably denies the process what a decoder does not need: programs, sockets, other processes and files.
/// For PDF, fonts, fontconfig's files and poppler's data stay readable; for others, nothing can be opened.
/// Blocks for at most a second while another thread ends.
ImagingConfinement imaging_confine(ImagingFormat format);

// MARK: Text

/// A text as outlines, which needs no fonts.
typedef struct ImagingText ImagingText;

/// Shapes plain UTF-8 text, wrapped at 24 em, and converts it to outlines.
///
/// Returns null if out of memory. `*missing` receives the characters that have no outline in any font, each
/// once, as UTF-8, or null if there are none.
ImagingText *_Nullable imaging_text_create(const char *_Nonnull text, char *_Nullable *_Nonnull missing);
void imaging_text_free(ImagingText *_Nullable text);

/// Whether drawing the text shows anything: spaces, invisible characters and U+2800 have no outline.
bool imaging_text_is_visible(const ImagingText *_Nonnull text);

typedef struct {
  /// Above 0, at most 1.
  double opacity;
  /// Degrees, counter-clockwise, as the picture is displayed.
  double angle;
  /// The em, as a fraction of the picture's shorter side.
  double size;
  /// The space between two texts, in ems.
  double spacing;
} ImagingStyle;

// MARK: Pictures

typedef struct {
  int width;
  int height;
  /// The number of pages or images.
  int pages;
} ImagingHeader;

/// An encoded picture.
typedef struct {
  uint8_t *_Nullable bytes;
  size_t count;
  int width;
  int height;
} ImagingFile;

/// Reads the header, and fails if there are more than `limit` pixels. A PDF's size is that of its first page,
/// in points (1/72 inch), and not limited.
ImagingStatus imaging_header(
    ImagingFormat format, const uint8_t *_Nonnull bytes, size_t count, int64_t limit,
    ImagingHeader *_Nonnull header);

/// Decodes the whole picture, or a PDF's first page, to find damage. `*uniform` receives whether all pixels
/// have the same value.
ImagingStatus imaging_check(
    ImagingFormat format, const uint8_t *_Nonnull bytes, size_t count, int *_Nonnull uniform);

typedef enum { IMAGING_AS_PNG, IMAGING_AS_JPEG } ImagingOutput;

/// Scales the picture, or a PDF's first page, down to at most `size` pixels on its longer side; upright,
/// in sRGB, without metadata, and with `text` drawn over it unless null.
ImagingStatus imaging_thumbnail(
    ImagingFormat format, const uint8_t *_Nonnull bytes, size_t count, int size, ImagingOutput output,
    const ImagingText *_Nullable text, ImagingStyle style, ImagingFile *_Nonnull file);

/// Draws the text over a JPEG. Sampling stays, quantization tables stay or get finer, and blocks that the text
/// does not touch decode to the same samples. The result has no APPn segments.
ImagingStatus imaging_jpeg_watermark(
    const uint8_t *_Nonnull bytes, size_t count, int orientation, const ImagingText *_Nonnull text,
    ImagingStyle style, ImagingFile *_Nonnull file);

/// Draws the text over a PNG. Bit depth and the pixels that the text does not touch stay the same. The result
/// has no ancillary chunks except tRNS.
ImagingStatus imaging_png_watermark(
    const uint8_t *_Nonnull bytes, size_t count, int orientation, const ImagingText *_Nonnull text,
    ImagingStyle style, ImagingFile *_Nonnull file);

/// Draws the text over the primary image of a HEIC in its stored planes, and encodes it with its colour
/// profile and the given Exif block (TIFF, without a prefix), slightly lossily. With `upright` the file's
/// transformations are applied; otherwise they are ignored, and the caller must add them to the result.
/// `chroma` is the declared sampling: 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4 (ITU-T H.265, chroma_format_idc).
ImagingStatus imaging_heif_watermark(
    const uint8_t *_Nonnull bytes, size_t count, int upright, int chroma, int orientation,
    const ImagingText *_Nonnull text, ImagingStyle style, const uint8_t *_Nullable exif, size_t exif_count,
    ImagingFile *_Nonnull file);

#endif
