/* C functions for the fuzz targets. */
#ifndef QUICKVAULT_CFUZZ_H
#define QUICKVAULT_CFUZZ_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own mutation in place, for use in a target's mutator. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* From now on, every new key derivation is cheap and deterministic. */
void cfuzz_hurry(void);

#endif
