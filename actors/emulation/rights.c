#include "actors/emulation/rights.h"
#include "sim/base/sanitizers.h"

#include <errno.h>
#include <linux/capability.h>
#include <seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reading, writing and waiting, memory, time, random numbers, and ending. */
static const int always[] = {SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(recvfrom), SCMP_SYS(recvmsg),
    SCMP_SYS(sendto), SCMP_SYS(sendmsg), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(close), SCMP_SYS(brk),
    SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(futex), SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(getrandom), SCMP_SYS(getpid), SCMP_SYS(gettid),
    SCMP_SYS(tgkill), SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn),
    SCMP_SYS(restart_syscall), SCMP_SYS(exit), SCMP_SYS(exit_group)};

static const int of_sockets[] = {
    SCMP_SYS(connect), SCMP_SYS(getsockopt), SCMP_SYS(setsockopt), SCMP_SYS(shutdown), SCMP_SYS(fcntl)};

static const int of_edges[] = {SCMP_SYS(accept4)};

static const int of_keeper[] = {SCMP_SYS(wait4)};

static bool has_sockets(enum frs_rights rights) {
    return rights == FRS_RIGHTS_OF_SOCKETS || rights == FRS_RIGHTS_OF_EDGES;
}

static bool allow_all(scmp_filter_ctx filter, const int *calls, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0))
            return false;
    return true;
}

/* Memory that holds no code, and sockets of TCP/IP alone. */
static bool allow_some(scmp_filter_ctx filter, enum frs_rights rights) {
    return !seccomp_rule_add(
               filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) &&
           !seccomp_rule_add(
               filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0)) &&
           (!has_sockets(rights) ||
               !seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 1, SCMP_A0(SCMP_CMP_EQ, AF_INET)));
}

static bool filter_calls(enum frs_rights rights) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool filters =
        filter && allow_all(filter, always, sizeof always / sizeof *always) &&
        (!has_sockets(rights) || allow_all(filter, of_sockets, sizeof of_sockets / sizeof *of_sockets)) &&
        (rights != FRS_RIGHTS_OF_EDGES || allow_all(filter, of_edges, sizeof of_edges / sizeof *of_edges)) &&
        (rights != FRS_RIGHTS_OF_KEEPER ||
            allow_all(filter, of_keeper, sizeof of_keeper / sizeof *of_keeper)) &&
        allow_some(filter, rights) && seccomp_load(filter) == 0;
    seccomp_release(filter);
    return filters;
}

static void drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
    syscall(SYS_capset, &header, none);
}

bool frs_rights_drop(enum frs_rights rights) {
    drop_capabilities();
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    return FRS_SANITIZED || filter_calls(rights);
}
