#ifndef QUICKVAULT_CSEARCH_H
#define QUICKVAULT_CSEARCH_H

#include <stddef.h>
#include <stdint.h>

/// Returns 1 if a byte may begin a code point whose folding is more than lowercasing A to Z, else 0. Han
/// from U+4000 to U+9FFF (first bytes E4 to E9) fold to themselves, like lowercase ASCII.
int quickvault_may_fold(const uint8_t *_Nullable bytes, size_t count);

/// Returns 1 if a word occurs in the bytes, ignoring the case of A to Z, else 0. The word is in lower case;
/// an empty one occurs everywhere.
int quickvault_contains(
    const uint8_t *_Nullable bytes, size_t count, const uint8_t *_Nullable word, size_t word_count);

/// Returns 1 if a number occurs in the bytes, ignoring the case of A to Z and up to three characters that group between two of
/// its own, else 0. It has small letters and digits, at least one; `borders` has, for each of its beginnings, the length of the
/// longest proper end of it that is also a beginning.
int quickvault_contains_number(
    const uint8_t *_Nullable bytes, size_t count, const uint8_t *_Nonnull number, const uint8_t *_Nonnull borders,
    size_t number_count);

/// Returns the offset of the first occurrence of a word, byte by byte; -1 if there is none.
ptrdiff_t quickvault_find(
    const uint8_t *_Nullable bytes, size_t count, const uint8_t *_Nullable word, size_t word_count);

#endif
