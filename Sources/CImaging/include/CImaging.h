#ifndef QUICKVAULT_CIMAGING_H
#define QUICKVAULT_CIMAGING_H

#include <stddef.h>
#include <stdint.h>

/// What the imaging worker needs of libvips, libheif, libjpeg, pango, cairo and libseccomp.
///
/// Every function works in memory and on one thread. A buffer that comes out of one is freed with
/// imaging_free. Widths, heights and positions are pixels; an orientation is one of Exif's eight (CIPA
/// DC-008, tag 0x0112).

/// How a call ended.
typedef enum {
  IMAGING_DONE = 0,
  /// The bytes end before the picture does.
  IMAGING_TRUNCATED,
  /// The bytes break the rules of their format.
  IMAGING_DAMAGED,
  /// The format has the feature, but the library that reads it does not.
  IMAGING_UNSUPPORTED,
  /// More pixels than allowed.
  IMAGING_TOO_MANY_PIXELS,
  /// The document needs a password.
  IMAGING_ENCRYPTED,
  /// There was too little memory.
  IMAGING_NO_MEMORY,
  /// Something that no input should bring about; imaging_message tells what.
  IMAGING_FAILED,
} ImagingStatus;

/// A short account of the last failure, in the words of the library that failed, for people who look into it.
const char *_Nonnull imaging_message(void);

/// Frees what another function allocated; null is let be.
void imaging_free(void *_Nullable bytes);

// MARK: Starting

/// The formats that are read.
typedef enum { IMAGING_JPEG = 1, IMAGING_PNG, IMAGING_HEIF, IMAGING_PDF } ImagingFormat;

/// Starts libvips with one loader, the one for `format`, which reads from memory; all others stay blocked.
/// The cache is off, pixels never go to a file, and no code is made at run time.
ImagingStatus imaging_start(ImagingFormat format);

/// Lets one more loader work, for a result of another format than its source; JPEG and PNG need no module.
void imaging_allow(ImagingFormat format);

// MARK: Sandbox

/// What came of imaging_confine.
typedef enum {
  IMAGING_CONFINED = 0,
  /// seccomp holds, but this kernel has no Landlock.
  IMAGING_CONFINED_WITHOUT_LANDLOCK,
  /// The confinement could not be had: nothing may be read.
  IMAGING_NOT_CONFINED,
} ImagingConfinement;

/// Sets the limits that hold from the start: 3 GiB of address space, `seconds` of processor time and on the
/// clock, no files written, no core file, not dumpable. Lower limits that are in force stay.
///
/// Returns 0, or -1 where a limit could not be set.
int imaging_limit(unsigned seconds);

/// Gives up, for good, everything that a decoder has no business with: programs, sockets, other processes,
/// files. A worker for PDF may go on reading fonts, fontconfig's files and poppler's data; any other opens
/// nothing.
ImagingConfinement imaging_confine(ImagingFormat format);

// MARK: Text

/// A text as outlines: nothing of fonts is needed once it is made.
typedef struct ImagingText ImagingText;

/// Shapes `text` (UTF-8, plain, not markup), wrapped at 24 em, and keeps its outlines.
///
/// Returns null where there is too little memory. Where a character has no outline in any font, `*missing`
/// receives the characters that lack one, each once, as UTF-8; otherwise null.
ImagingText *_Nullable imaging_text_create(const char *_Nonnull text, char *_Nullable *_Nonnull missing);
void imaging_text_free(ImagingText *_Nullable text);

/// How the text is drawn.
typedef struct {
  /// How much of the text's ink covers what is below: above 0, at most 1.
  double opacity;
  /// Degrees, counter-clockwise, as the picture is seen.
  double angle;
  /// The em, as a part of the picture's shorter side.
  double size;
  /// Room between two texts, in ems.
  double spacing;
} ImagingStyle;

// MARK: Pictures

/// What a picture's header says.
typedef struct {
  int width;
  int height;
  /// Pages, or pictures, in the file.
  int pages;
} ImagingHeader;

/// A finished file.
typedef struct {
  uint8_t *_Nullable bytes;
  size_t count;
  int width;
  int height;
} ImagingFile;

/// Reads the header, and refuses more than `limit` pixels before anything else is read. A PDF's size is its
/// first page's, in points of 1/72 inch.
ImagingStatus imaging_header(
    ImagingFormat format, const uint8_t *_Nonnull bytes, size_t count, int64_t limit,
    ImagingHeader *_Nonnull header);

/// Decodes the whole picture, a PDF's first page, and finds damage. `*uniform` receives whether all pixels
/// are alike.
ImagingStatus imaging_check(
    ImagingFormat format, const uint8_t *_Nonnull bytes, size_t count, int *_Nonnull uniform);

/// Formats of a thumbnail.
typedef enum { IMAGING_AS_PNG, IMAGING_AS_JPEG } ImagingOutput;

/// Draws the picture, a PDF's first page, upright, in sRGB, its longest side `size` pixels (a picture that is
/// smaller stays as it is), with `text` over it where there is one, and without metadata.
ImagingStatus imaging_thumbnail(
    ImagingFormat format, const uint8_t *_Nonnull bytes, size_t count, int size, ImagingOutput output,
    const ImagingText *_Nullable text, ImagingStyle style, ImagingFile *_Nonnull file);

/// Draws the text over a JPEG, and writes it with its own quantization tables and sampling; blocks that the
/// text does not touch keep their coefficients. The result carries no APPn segments.
ImagingStatus imaging_jpeg_mark(
    const uint8_t *_Nonnull bytes, size_t count, int orientation, const ImagingText *_Nonnull text,
    ImagingStyle style, ImagingFile *_Nonnull file);

/// Draws the text over a PNG; pixels that it does not touch keep their values, of 16 bits where the source
/// has so many. The result carries no ancillary chunks but tRNS.
ImagingStatus imaging_png_mark(
    const uint8_t *_Nonnull bytes, size_t count, int orientation, const ImagingText *_Nonnull text,
    ImagingStyle style, ImagingFile *_Nonnull file);

/// Draws the text over the primary picture of a HEIC, in the planes in which it is stored, and encodes it
/// anew, with its colour profile and the given Exif block (TIFF, without a prefix), at nearly the quality of
/// its source. With `upright` the transformations that the file asks for are carried out; otherwise they are
/// passed over, and the caller has to write them into the result. `chroma` is the sampling that the file
/// declares: 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4 (ITU-T H.265, chroma_format_idc).
ImagingStatus imaging_heif_mark(
    const uint8_t *_Nonnull bytes, size_t count, int upright, int chroma, int orientation,
    const ImagingText *_Nonnull text, ImagingStyle style, const uint8_t *_Nullable exif, size_t exif_count,
    ImagingFile *_Nonnull file);

#endif
