#ifndef QUICKVAULT_CRESOURCES_H
#define QUICKVAULT_CRESOURCES_H

#include <stddef.h>
#include <stdint.h>

// Files that are part of a program: the bytes of each, and their number. A program has only those that it asks for.
#define QUICKVAULT_RESOURCE(name)                     \
  const uint8_t *_Nonnull quickvault_##name(void);    \
  size_t quickvault_##name##_count(void)

/// The EFF's large list of 7,776 words for passphrases, one a line, in the order of the alphabet.
QUICKVAULT_RESOURCE(words);
/// The first thousand of at least 8 characters in the list of zxcvbn 4.5.0, one a line, most common first.
QUICKVAULT_RESOURCE(common_passwords);
/// The picture of the demo vault: a fictitious business licence.
QUICKVAULT_RESOURCE(licence);
/// The usual names of columns in tables, in lower case without separators: each line is a target, as `vault/import` names it, a
/// colon, and the names.
QUICKVAULT_RESOURCE(column_names);
/// The catalogue of errors.
QUICKVAULT_RESOURCE(errors);
/// The description of the protocol that `rpc.discover` returns.
QUICKVAULT_RESOURCE(openrpc);
/// The divisions of GB/T 2260 from the province to the county, made by make_divisions.py: each line is a city and its
/// districts; a line with a colon begins a province, one with a space at its start goes on.
QUICKVAULT_RESOURCE(divisions);
/// Pairs of a traditional character or a radical, and the character of the divisions' names that it stands for.
QUICKVAULT_RESOURCE(division_variants);
/// The canonical decompositions of the Unicode Character Database, version 14.0.0, field 5 of UnicodeData.txt without
/// compatibility mappings and Hangul syllables. Each line: a second code point, then pairs of a first one and the composed
/// one, in hexadecimal.
QUICKVAULT_RESOURCE(decomposition_pairs);
/// Each line: a code point, then what it and those that follow it decompose to.
QUICKVAULT_RESOURCE(decomposition_singletons);
/// The help of qv and of quickvault in both languages.
QUICKVAULT_RESOURCE(qv_help_en);
QUICKVAULT_RESOURCE(qv_help_zh);
QUICKVAULT_RESOURCE(quickvault_help_en);
QUICKVAULT_RESOURCE(quickvault_help_zh);

#endif
