#ifndef QUICKVAULT_COPENRPC_H
#define QUICKVAULT_COPENRPC_H

#include <stddef.h>
#include <stdint.h>

/// The bytes of protocol/openrpc.json, embedded by the compiler.
const uint8_t *_Nonnull quickvault_openrpc_bytes(void);
/// Their number.
size_t quickvault_openrpc_count(void);

#endif
