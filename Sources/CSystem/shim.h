// What the system offers and Swift has no name for.
#pragma once
#include <elf.h>
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

/// Lets threads share so many heaps. Each thread that opens a book would otherwise get one of its own, and what is freed in
/// one is not used again by another: some 5 MB with twenty open books. Before the first thread starts.
static inline void breadly_share_heaps(int count) { mallopt(M_ARENA_MAX, count); }

/// Gives the system back what was freed and lies in pieces between what is in use, as closed books leave it.
static inline void breadly_give_back_memory(void) { malloc_trim(0); }

/// Takes the program's code out of its resident memory: what only the start needed stays out of it, some 14 MB, and
/// what is run again comes back from the page cache. Code is never written to, so that nothing can be lost.
static inline void breadly_forget_startup_code(void) {
    const Elf64_Phdr *parts = (const Elf64_Phdr *)getauxval(AT_PHDR);
    const size_t count = getauxval(AT_PHNUM);
    const uintptr_t page = getauxval(AT_PAGESZ);
    uintptr_t base = 0;
    if (!parts || !page || sizeof(void *) != 8) return;
    // Where the program was put: its own table says where it was to be.
    for (size_t i = 0; i < count; i++)
        if (parts[i].p_type == PT_PHDR) base = (uintptr_t)parts - parts[i].p_vaddr;
    for (size_t i = 0; i < count; i++) {
        if (parts[i].p_type != PT_LOAD || !(parts[i].p_flags & PF_X) || (parts[i].p_flags & PF_W)) continue;
        const uintptr_t start = (base + parts[i].p_vaddr + page - 1) & ~(page - 1);
        const uintptr_t end = (base + parts[i].p_vaddr + parts[i].p_filesz) & ~(page - 1);
        if (end > start) madvise((void *)start, end - start, MADV_DONTNEED);
    }
}
