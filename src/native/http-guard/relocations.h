// Replaces functions that a loaded shared library imports, by writing to the slots of its relocations (ELF gABI; x86-64
// and AArch64 psABI). The library's code is not changed, and no other library is affected.
#pragma once

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#if defined(__x86_64__)
constexpr uint32_t kSlotTypes[] = {R_X86_64_JUMP_SLOT, R_X86_64_GLOB_DAT};
#else
constexpr uint32_t kSlotTypes[] = {R_AARCH64_JUMP_SLOT, R_AARCH64_GLOB_DAT};
#endif

/** Name of an imported function, and the function that replaces it. */
struct Replacement {
  const char *name;
  void *function;
  bool isDone = false;
};

/**
 * What `replaceCalls` needs from a library's dynamic section, and the address range that the loader has made read-only
 * (RELRO).
 */
struct Dynamic {
  const ElfW(Sym) *symbols = nullptr;
  const char *names = nullptr;
  const ElfW(Rela) *tables[2] = {};
  size_t bytes[2] = {};
  uintptr_t readOnlyStart = 0, readOnlyEnd = 0;

  explicit Dynamic(const dl_phdr_info &library) {
    for (int i = 0; i < library.dlpi_phnum; i++) {
      const ElfW(Phdr) &segment = library.dlpi_phdr[i];
      if (segment.p_type == PT_GNU_RELRO) {
        readOnlyStart = library.dlpi_addr + segment.p_vaddr;
        readOnlyEnd = readOnlyStart + segment.p_memsz;
      }
      if (segment.p_type != PT_DYNAMIC) continue;
      const auto *entry = reinterpret_cast<const ElfW(Dyn) *>(library.dlpi_addr + segment.p_vaddr);
      for (; entry->d_tag != DT_NULL; entry++) read(*entry, library.dlpi_addr);
    }
  }

 private:
  void read(const ElfW(Dyn) &entry, ElfW(Addr) base) {
    // glibc has already added the library's base address to these pointers; musl has not.
    const auto address = entry.d_un.d_ptr < base ? entry.d_un.d_ptr + base : entry.d_un.d_ptr;
    if (entry.d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym) *>(address);
    if (entry.d_tag == DT_STRTAB) names = reinterpret_cast<const char *>(address);
    if (entry.d_tag == DT_JMPREL) tables[0] = reinterpret_cast<const ElfW(Rela) *>(address);
    if (entry.d_tag == DT_PLTRELSZ) bytes[0] = entry.d_un.d_val;
    if (entry.d_tag == DT_RELA) tables[1] = reinterpret_cast<const ElfW(Rela) *>(address);
    if (entry.d_tag == DT_RELASZ) bytes[1] = entry.d_un.d_val;
  }
};

inline bool isSlot(uint32_t type) {
  for (const uint32_t known : kSlotTypes)
    if (type == known) return true;
  return false;
}

/** Writes a function's address to a slot. If the slot's page is read-only, it is made writable for that time. */
inline bool put(const Dynamic &dynamic, void **slot, void *function) {
  const auto address = reinterpret_cast<uintptr_t>(slot);
  const size_t pageBytes = sysconf(_SC_PAGESIZE);
  auto *page = reinterpret_cast<void *>(address & ~uintptr_t(pageBytes - 1));
  // The loader makes only whole pages read-only, so a page at the end of the range may be writable.
  const bool isReadOnly = address >= dynamic.readOnlyStart &&
      reinterpret_cast<uintptr_t>(page) + pageBytes <= dynamic.readOnlyEnd;
  if (isReadOnly && mprotect(page, pageBytes, PROT_READ | PROT_WRITE) != 0) return false;
  *slot = function;
  return !isReadOnly || mprotect(page, pageBytes, PROT_READ) == 0;
}

/**
 * Replaces functions that a library imports. `isDone` of a replacement is set if the function was found and replaced.
 */
template <size_t Count>
void replaceCalls(const dl_phdr_info &library, Replacement (&replacements)[Count]) {
  const Dynamic dynamic(library);
  if (dynamic.symbols == nullptr || dynamic.names == nullptr) return;
  for (int table = 0; table < 2; table++) {
    for (size_t i = 0; i < dynamic.bytes[table] / sizeof(ElfW(Rela)); i++) {
      const ElfW(Rela) &slot = dynamic.tables[table][i];
      if (!isSlot(ELF64_R_TYPE(slot.r_info))) continue;
      const char *name = dynamic.names + dynamic.symbols[ELF64_R_SYM(slot.r_info)].st_name;
      for (Replacement &replacement : replacements)
        if (strcmp(name, replacement.name) == 0)
          replacement.isDone = put(dynamic, reinterpret_cast<void **>(library.dlpi_addr + slot.r_offset),
              replacement.function);
    }
  }
}
