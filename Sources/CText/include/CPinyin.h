#ifndef QUICKVAULT_CPINYIN_H
#define QUICKVAULT_CPINYIN_H

#include <stddef.h>
#include <stdint.h>

/// The set of readings of each character from U+4000 to U+9FFF; set 0 is empty. The array may also be read below and
/// above that range, for any three bytes that begin with E4 to E9 and are decoded as if they
/// were a character.
const uint16_t *_Nonnull quickvault_pinyin_characters(void) __attribute__((const));
/// The initial letters of the readings in each set: bit 0 is a, and so on; bit 26 means the empty set.
const uint32_t *_Nonnull quickvault_pinyin_initials(void) __attribute__((const));
/// The number of sets, including the empty one.
size_t quickvault_pinyin_set_count(void);
/// Returns the set of readings of a character outside that range; 0 if none is known.
uint16_t quickvault_pinyin_rare_set(uint32_t character);

/// Returns the number of readings in a set.
size_t quickvault_pinyin_reading_count(uint16_t set);
/// Returns one reading: 1 to 6 lowercase letters without tone, the first in the lowest byte; zero beyond the last.
uint64_t quickvault_pinyin_reading(uint16_t set, size_t number);

/// Returns the number of syllables.
size_t quickvault_pinyin_syllable_count(void);
/// Returns one syllable, encoded like a reading; zero beyond the last.
uint64_t quickvault_pinyin_syllable(size_t number);

#endif
