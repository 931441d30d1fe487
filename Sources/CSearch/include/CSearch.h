#ifndef QUICKVAULT_CSEARCH_H
#define QUICKVAULT_CSEARCH_H

#include <stddef.h>
#include <stdint.h>

/// Whether a byte is there that may begin a code point whose folding is more than the small letters for A to Z: 1 or 0. Han
/// from U+4000 to U+9FFF (first bytes E4 to E9) fold to themselves, as ASCII in small letters does.
int quickvault_may_fold(const uint8_t *_Nullable bytes, size_t count);

/// Whether a word occurs in the bytes, the letters A to Z of which count as small ones: 1 or 0. The word has none of them;
/// one of no bytes occurs everywhere.
int quickvault_contains(
    const uint8_t *_Nullable bytes, size_t count, const uint8_t *_Nullable word, size_t word_count);

#endif
