#define _GNU_SOURCE
#include "CSearch.h"

#include <stdlib.h>
#include <string.h>

/* The compiler makes each loop over bytes take 16 of them at a time, and 32 where the processor has AVX2. Which it has is asked
   while the program is loaded, when the thread sanitizer is not there yet and what it put into the question would crash. */
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define FOR_EVERY_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EVERY_PROCESSOR
#endif

enum { width = 32 };

static inline uint8_t folds(uint8_t byte) { return (byte >= 0xC0) & ((uint8_t)(byte - 0xE4) > 5); }

FOR_EVERY_PROCESSOR
int quickvault_may_fold(const uint8_t *bytes, size_t count) {
  uint8_t found[width] = {0}, all = 0;
  if (count < width) {
    for (size_t i = 0; i < count; i++) all |= folds(bytes[i]);
    return all;
  }
  for (size_t i = 0; i < count; i += width) {
    /* The last step may look at some bytes again. */
    const uint8_t *some = bytes + (i + width <= count ? i : count - width);
    for (int j = 0; j < width; j++) found[j] |= folds(some[j]);
  }
  for (int j = 0; j < width; j++) all |= found[j];
  return all;
}

static inline uint8_t small(uint8_t byte) { return byte | ((uint8_t)(byte - 'A') < 26 ? 0x20 : 0); }

/* The bit that makes a capital letter small, for bytes that are compared with a small letter. */
static inline uint8_t case_bit(uint8_t byte) { return (uint8_t)(byte - 'a') < 26 ? 0x20 : 0; }

static int is_among(const uint8_t *places, size_t count, const uint8_t *word, size_t word_count, size_t *compared) {
  for (size_t i = 0; i < count; i++) {
    size_t same = 0;
    while (same < word_count && small(places[i + same]) == word[same]) same++;
    *compared += same;
    if (same == word_count) return 1;
  }
  return 0;
}

/* Each byte is looked at once (Knuth, Morris and Pratt, 1977): borders[i] is how much of the end of the word's first i + 1
   bytes is a beginning of it as well. */
static int contains_by_borders(
    const uint8_t *bytes, size_t count, const uint8_t *word, size_t word_count, size_t *borders) {
  borders[0] = 0;
  for (size_t i = 1, same = 0; i < word_count; i++) {
    while (same > 0 && word[i] != word[same]) same = borders[same - 1];
    if (word[i] == word[same]) same++;
    borders[i] = same;
  }
  for (size_t i = 0, same = 0; i < count; i++) {
    uint8_t byte = small(bytes[i]);
    while (same > 0 && byte != word[same]) same = borders[same - 1];
    if (byte == word[same]) same++;
    if (same == word_count) return 1;
  }
  return 0;
}

/* Many places at a time are compared with the first and the last byte of the word, and only where both fit with all. Where
   that comes to more than a few comparisons a byte, the rest is searched in a way that never does. */
FOR_EVERY_PROCESSOR
int quickvault_contains(const uint8_t *bytes, size_t count, const uint8_t *word, size_t word_count) {
  if (word_count == 0) return 1;
  if (word_count > count) return 0;
  size_t places = count - word_count + 1, compared = 0;
  if (places < width) return is_among(bytes, places, word, word_count, &compared);
  uint8_t first = word[0], last = word[word_count - 1];
  uint8_t first_case = case_bit(first), last_case = case_bit(last);
  for (size_t i = 0; i < places; i += width) {
    /* The last step may look at some places again. */
    const uint8_t *heads = bytes + (i + width <= places ? i : places - width), *tails = heads + word_count - 1;
    uint8_t fits = 0;
    for (int j = 0; j < width; j++) {
      fits |= ((heads[j] | first_case) == first) & ((tails[j] | last_case) == last);
    }
    if (!fits) continue;
    if (is_among(heads, width, word, word_count, &compared)) return 1;
    size_t *borders = compared / 8 > count ? malloc(word_count * sizeof *borders) : NULL;
    if (borders == NULL) continue;
    int found = contains_by_borders(heads, count - (size_t)(heads - bytes), word, word_count, borders);
    free(borders);
    return found;
  }
  return 0;
}

/* The length of a character that may group the digits of a number; 0 for another. GroupedNumber has the same ones, those of
   full width aside, which are folded to these. */
static size_t grouping_length(const uint8_t *bytes, size_t count) {
  switch (bytes[0]) {
    case ' ': case '-': case '(': case ')': case '.': return 1;
    case 0xC2: return count > 1 && bytes[1] == 0xA0 ? 2 : 0;
    case 0xE2:
      if (count < 3) return 0;
      return (bytes[1] == 0x80 && bytes[2] >= 0x90 && bytes[2] <= 0x95) || (bytes[1] == 0x88 && bytes[2] == 0x92) ? 3 : 0;
    default: return 0;
  }
}

int quickvault_contains_number(
    const uint8_t *bytes, size_t count, const uint8_t *number, const uint8_t *borders, size_t number_count) {
  enum { most_grouping = 3 };
  size_t same = 0, grouping = 0;
  int begins_with_digit = number[0] <= '9';
  for (size_t i = 0; i < count; i++) {
    if (same == 0 && begins_with_digit) {
      const uint8_t *next = memchr(bytes + i, number[0], count - i);
      if (next == NULL) return 0;
      i = (size_t)(next - bytes);
    }
    uint8_t byte = small(bytes[i]);
    if ((uint8_t)(byte - '0') < 10 || (uint8_t)(byte - 'a') < 26) {
      grouping = 0;
      while (same > 0 && byte != number[same]) same = borders[same - 1];
      if (byte == number[same]) same++;
      if (same == number_count) return 1;
    } else if (same > 0) {
      size_t length = grouping_length(bytes + i, count - i);
      if (length == 0 || ++grouping > most_grouping) same = 0;
      else i += length - 1;
    }
  }
  return 0;
}

ptrdiff_t quickvault_find(const uint8_t *bytes, size_t count, const uint8_t *word, size_t word_count) {
  const uint8_t *found = count == 0 ? NULL : memmem(bytes, count, word, word_count);
  return found == NULL ? -1 : found - bytes;
}
