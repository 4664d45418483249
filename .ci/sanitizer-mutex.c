// Makes Swift's Mutex visible to the thread sanitizer. The fast paths of the mutex are compiled into Breadly's code, where
// the sanitizer sees their atomics. If two threads compete for the lock, the kernel passes it on (FUTEX_LOCK_PI) within
// libswiftSynchronization, which the sanitizer does not instrument: it would report each such case as a race. This
// library is loaded before that one; its functions replace the two slow paths and call them. Only `make sanitize` uses it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *handle

// Synchronization._MutexHandle._lockSlow(UInt32) and ._unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void (*lock_function)(uint32_t, SELF);
typedef SWIFT void (*unlock_function)(SELF);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
    lock_function next = (lock_function)dlsym(RTLD_NEXT, LOCK);
    next(thread, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF) {
    unlock_function next = (unlock_function)dlsym(RTLD_NEXT, UNLOCK);
    if (__tsan_release) __tsan_release(handle);
    next(handle);
}
