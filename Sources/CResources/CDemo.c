#include "CDemo.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t licence[] = {
#embed "licence.png"
};

const uint8_t *quickvault_demo_licence(void) { return licence; }
size_t quickvault_demo_licence_count(void) { return sizeof licence; }
