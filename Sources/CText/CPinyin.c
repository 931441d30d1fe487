#include "CPinyin.h"

// Zeros below and above the characters, for any two bytes after one from E4 to E9.
#define MARGIN_BEFORE 0x2080
#define MARGIN_AFTER 0x2080

#include "readings.inc"

const uint16_t *quickvault_pinyin_characters(void) { return sets + MARGIN_BEFORE; }
const uint32_t *quickvault_pinyin_initials(void) { return set_initials; }
size_t quickvault_pinyin_set_count(void) { return QUICKVAULT_READING_SET_COUNT; }

size_t quickvault_pinyin_syllable_count(void) { return QUICKVAULT_SYLLABLE_COUNT; }

uint64_t quickvault_pinyin_syllable(size_t number) {
  uint64_t letters = 0;
  if (number >= QUICKVAULT_SYLLABLE_COUNT) return 0;
  for (size_t index = 8; index > 0; index--) letters = letters << 8 | (uint8_t)syllables[number][index - 1];
  return letters;
}

uint16_t quickvault_pinyin_rare_set(uint32_t character) {
  size_t low = 0, high = QUICKVAULT_RARE_COUNT;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (rare_characters[middle] < character) low = middle + 1;
    else high = middle;
  }
  return low < QUICKVAULT_RARE_COUNT && rare_characters[low] == character ? rare_sets[low] : 0;
}

size_t quickvault_pinyin_reading_count(uint16_t set) {
  return set < QUICKVAULT_READING_SET_COUNT ? (size_t)(set_starts[set + 1] - set_starts[set]) : 0;
}

uint64_t quickvault_pinyin_reading(uint16_t set, size_t number) {
  return number < quickvault_pinyin_reading_count(set)
             ? quickvault_pinyin_syllable(set_syllables[set_starts[set] + number])
             : 0;
}
