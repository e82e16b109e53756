#include "sim/base/files/program.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const char *bytes;
    size_t n;
};

static bool holds(const struct file *file, uint64_t offset, uint64_t n) {
    return offset <= file->n && n <= file->n - offset;
}

/* The table of sections; NULL where the file has none that can be read. */
static const ElfW(Shdr) * sections_of(const struct file *file, size_t *n) {
    const ElfW(Ehdr) *header = (const void *)file->bytes;
    if (!holds(file, 0, sizeof *header) || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(ElfW(Shdr)) || header->e_shstrndx >= header->e_shnum ||
        header->e_shoff % sizeof(size_t) != 0 ||
        !holds(file, header->e_shoff, (uint64_t)header->e_shnum * sizeof(ElfW(Shdr))))
        return NULL;
    *n = header->e_shnum;
    return (const void *)(file->bytes + header->e_shoff);
}

static bool is_called(
    const struct file *file, const ElfW(Shdr) * names, const ElfW(Shdr) * section, const char *name) {
    uint64_t offset = (uint64_t)names->sh_offset + section->sh_name;
    return holds(file, offset, strlen(name) + 1) && strcmp(file->bytes + offset, name) == 0;
}

static bool add_sections(struct frs_digester *digester, const struct file *file) {
    size_t n = 0;
    const ElfW(Shdr) *sections = sections_of(file, &n);
    if (!sections)
        return false;
    const ElfW(Shdr) *names = &sections[((const ElfW(Ehdr) *)(const void *)file->bytes)->e_shstrndx];
    for (size_t i = 0; i < n; i++) {
        const ElfW(Shdr) *section = &sections[i];
        bool loaded = section->sh_flags & SHF_ALLOC && section->sh_type != SHT_NOBITS;
        if (!loaded || is_called(file, names, section, FRS_COMMIT_SECTION) ||
            is_called(file, names, section, ".note.gnu.build-id"))
            continue;
        if (!holds(file, section->sh_offset, section->sh_size))
            return false;
        frs_digester_add(digester, file->bytes + section->sh_offset, section->sh_size);
    }
    return true;
}

/* Mapped, for a copy of it takes as long as reading it; empty where it cannot be. */
static struct file map_program(void) {
    struct file file = {0};
    struct stat status;
    int descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && status.st_size > 0) {
        void *bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (bytes != MAP_FAILED)
            file = (struct file){bytes, (size_t)status.st_size};
    }
    if (descriptor >= 0)
        close(descriptor);
    return file;
}

static struct frs_digest read_program(void) {
    struct file file = map_program();
    struct frs_digester digester = frs_digester_init();
    if (!add_sections(&digester, &file)) { /* what cannot be told apart counts as a whole */
        digester = frs_digester_init();
        frs_digester_add(&digester, file.bytes, file.n);
    }
    if (file.n > 0)
        munmap((void *)(uintptr_t)file.bytes, file.n);
    return frs_digester_finish(&digester);
}

const struct frs_digest *frs_program_digest(void) {
    static struct frs_digest digest;
    static bool is_known;
    if (!is_known)
        digest = read_program();
    is_known = true;
    return &digest;
}
