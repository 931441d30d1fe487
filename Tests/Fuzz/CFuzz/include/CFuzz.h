/* What the fuzz targets need of C. */
#ifndef QUICKVAULT_CFUZZ_H
#define QUICKVAULT_CFUZZ_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own mutation of bytes in place, for what a target's mutator does not do by itself. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* From now on a derivation that was not made before is a cheap one, the same every time. */
void cfuzz_hurry(void);

#endif
