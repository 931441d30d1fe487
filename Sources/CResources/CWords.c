#include "CWords.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t words[] = {
#embed "eff_large_wordlist.txt"
};

const uint8_t *quickvault_words(void) { return words; }
size_t quickvault_words_count(void) { return sizeof words; }
