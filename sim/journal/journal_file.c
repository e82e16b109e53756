#include "sim/journal/journal_file.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *frs_journal_open_temporary(const char *path, char **temporary) {
    for (int i = 0;; i++) {
        *temporary = i == 0 ? frs_format("%s.partial-%ld", path, (long)getpid())
                            : frs_format("%s.partial-%ld-%d", path, (long)getpid(), i);
        int file = open(*temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        struct stat status;
        if (file < 0 && errno != EEXIST)
            return NULL;
        if (file >= 0) {
            (void)!flock(file, LOCK_EX | LOCK_NB);
            if (fstat(file, &status) == 0 && status.st_nlink > 0) /* not cleared before it was locked */
                return fdopen(file, "wb");
            close(file);
        }
        free(*temporary);
    }
}
