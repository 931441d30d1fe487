#include "COpenRPC.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t document[] = {
#embed "../../protocol/openrpc.json"
};

const uint8_t *quickvault_openrpc_bytes(void) { return document; }
size_t quickvault_openrpc_count(void) { return sizeof document; }
