#include "actors/simgrid.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <dlfcn.h>
#include <string.h>

struct frs_simgrid frs_simgrid;

static bool find(void *library, const char *name, void *pointer) {
    void *found = dlsym(library, name);
    memcpy(pointer, &found,
        sizeof found); /* C has no conversion from a pointer to an object to one to a function */
    return found;
}

static bool find_all(void *library) {
#define FIND(function) &&find(library, #function, &frs_simgrid.function)
    return true FRS_SIMGRID_FUNCTIONS(FIND);
#undef FIND
}

/* SimGrid itself answers a failed allocation with several lines and abort(). The function that is called
 * here is std::set_new_handler. */
static bool say_where_memory_lacks(void *library) {
    void (*(*set_new_handler)(void (*)(void)))(void);
    if (!find(library, "_ZSt15set_new_handlerPFvvE", &set_new_handler))
        return false;
    set_new_handler(frs_memory_exhausted);
    return true;
}

enum frs_status frs_simgrid_load(struct frs_errors *errors) {
    static bool loaded;
    if (loaded)
        return FRS_OK;
    void *library = dlopen(FRS_SIMGRID_LIBRARY, RTLD_LAZY);
    loaded = library && find_all(library) && say_where_memory_lacks(library);
    if (loaded)
        return FRS_OK;
    const char *why = dlerror();
    return frs_errors_add(errors, FRS_ERR_RUN, "SimGrid, which simulates runs, cannot be loaded: %s", why);
}
