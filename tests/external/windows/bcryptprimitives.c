/* Wine 8 lacks this library of Windows, from which Rust takes random numbers. Only for tests. */
#define RtlGenRandom SystemFunction036
__declspec(dllimport) unsigned char __stdcall RtlGenRandom(void *bytes, unsigned long count);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, unsigned long long count) {
    return RtlGenRandom(bytes, (unsigned long)count);
}
