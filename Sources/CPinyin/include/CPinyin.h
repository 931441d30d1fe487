#ifndef QUICKVAULT_CPINYIN_H
#define QUICKVAULT_CPINYIN_H

#include <stddef.h>
#include <stdint.h>

/// The sets of readings of the characters from U+4000 to U+9FFF, one after another; 0 has none. It may be read below and
/// above them as far as three bytes go that are no character, if the first is E4 to E9 and their bits are put together as if
/// they were one.
const uint16_t *_Nonnull quickvault_pinyin_characters(void) __attribute__((const));
/// The letters that the readings of each set begin with: bit 0 is a, and so on; bit 26 for the set of none.
const uint32_t *_Nonnull quickvault_pinyin_initials(void) __attribute__((const));
/// How many sets there are, that of none with them.
size_t quickvault_pinyin_set_count(void);
/// The set of readings of a character outside of that range; 0 where none is known.
uint16_t quickvault_pinyin_rare_set(uint32_t character);

/// How many readings a set has.
size_t quickvault_pinyin_reading_count(uint16_t set);
/// One of them: 1 to 6 small letters without tone, the first in the lowest byte, zeros above the last; zero beyond the last.
uint64_t quickvault_pinyin_reading(uint16_t set, size_t number);

/// How many syllables there are in all.
size_t quickvault_pinyin_syllable_count(void);
/// One of them, written as a reading is; zero beyond the last.
uint64_t quickvault_pinyin_syllable(size_t number);

#endif
