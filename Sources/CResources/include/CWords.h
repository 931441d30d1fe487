#ifndef QUICKVAULT_CWORDS_H
#define QUICKVAULT_CWORDS_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of the EFF's large list of 7,776 words for passphrases, one a line, in the order of the alphabet.
const uint8_t *_Nonnull quickvault_words(void);
/// Their number.
size_t quickvault_words_count(void);

#endif
