#include "CResources.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

#define RESOURCE(name)                                      \
  const uint8_t *quickvault_##name(void) { return name; }   \
  size_t quickvault_##name##_count(void) { return sizeof name; }

static const uint8_t words[] = {
#embed "eff_large_wordlist.txt"
};
RESOURCE(words)

static const uint8_t common_passwords[] = {
#embed "common_passwords.txt"
};
RESOURCE(common_passwords)

static const uint8_t licence[] = {
#embed "licence.png"
};
RESOURCE(licence)

static const uint8_t column_names[] = {
#embed "column_names.txt"
};
RESOURCE(column_names)

static const uint8_t errors[] = {
#embed "../../protocol/interface/errors.txt"
};
RESOURCE(errors)

static const uint8_t openrpc[] = {
#embed "../../protocol/openrpc.json"
};
RESOURCE(openrpc)

static const uint8_t divisions[] = {
#embed "divisions.txt"
};
RESOURCE(divisions)

static const uint8_t division_variants[] = {
#embed "division_variants.txt"
};
RESOURCE(division_variants)

static const uint8_t decomposition_pairs[] = {
#embed "decomposition_pairs.txt"
};
RESOURCE(decomposition_pairs)

static const uint8_t decomposition_singletons[] = {
#embed "decomposition_singletons.txt"
};
RESOURCE(decomposition_singletons)

static const uint8_t qv_help_en[] = {
#embed "../qv/Help/en.txt"
};
RESOURCE(qv_help_en)

static const uint8_t qv_help_zh[] = {
#embed "../qv/Help/zh-Hans.txt"
};
RESOURCE(qv_help_zh)

static const uint8_t quickvault_help_en[] = {
#embed "../quickvault/Help/en.txt"
};
RESOURCE(quickvault_help_en)

static const uint8_t quickvault_help_zh[] = {
#embed "../quickvault/Help/zh-Hans.txt"
};
RESOURCE(quickvault_help_zh)
