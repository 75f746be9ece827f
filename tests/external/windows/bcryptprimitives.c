/* Wine 8 lacks this library of Windows, from which Rust takes random numbers. Only for tests. */
#include <stddef.h>
#define RtlGenRandom SystemFunction036
__declspec(dllimport) unsigned char __stdcall RtlGenRandom(void *bytes, unsigned long count);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, size_t count) {
    return RtlGenRandom(bytes, (unsigned long)count);
}
