#include "actors/emulation/tun.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define MTU 1500
#define DEVICE_QUEUE 10000 /* packets: the router's queues are the only ones that may fill */

static int set_kernel(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    ssize_t written = write(fd, text, strlen(text));
    close(fd);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

static struct ifreq request(void) {
    struct ifreq ifr;
    memset(&ifr, 0, sizeof ifr);
    strcpy(ifr.ifr_name, "tun0");
    return ifr;
}

static int set_address(int fd, unsigned long what, uint32_t address) {
    struct ifreq ifr = request();
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(address)};
    memcpy(&ifr.ifr_addr, &in, sizeof in);
    return ioctl(fd, what, &ifr);
}

static int ask_kernel(const void *request, size_t n) {
    struct {
        struct nlmsghdr header;
        struct nlmsgerr error;
        char rest[256]; /* the request again */
    } answer = {.error.error = -EPROTO};
    int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    bool asked = fd >= 0 && send(fd, request, n, 0) == (ssize_t)n && recv(fd, &answer, sizeof answer, 0) > 0;
    if (fd >= 0)
        close(fd);
    errno = asked ? -answer.error.error : errno;
    return asked && answer.error.error == 0 ? 0 : -1;
}

/* Over netlink: the older call for it is root's alone, also in a namespace of users. */
static int set_queue(void) {
    const struct {
        struct nlmsghdr header;
        struct ifinfomsg link;
        struct rtattr attribute;
        uint32_t packets;
    } ask = {.header = {.nlmsg_len = sizeof ask,
                 .nlmsg_type = RTM_NEWLINK,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK},
        .link = {.ifi_family = AF_UNSPEC, .ifi_index = (int)if_nametoindex("tun0")},
        .attribute = {.rta_len = RTA_LENGTH(sizeof(uint32_t)), .rta_type = IFLA_TXQLEN},
        .packets = DEVICE_QUEUE};
    return ask_kernel(&ask, sizeof ask);
}

/* The route to all others says that connections use CUBIC. A process without rights cannot say so of its
 * sockets where the machine's default is another one. */
static int set_congestion_control(uint32_t address) {
    const struct {
        struct nlmsghdr header;
        struct rtmsg route;
        struct rtattr to_attribute;
        uint32_t to;
        struct rtattr from_attribute;
        uint32_t from;
        struct rtattr device_attribute;
        int device;
        struct rtattr metrics_attribute, name_attribute;
        char name[8];
    } ask = {.header = {.nlmsg_len = sizeof ask,
                 .nlmsg_type = RTM_NEWROUTE,
                 .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE},
        .route = {.rtm_family = AF_INET,
            .rtm_dst_len = 8,
            .rtm_table = RT_TABLE_MAIN,
            .rtm_protocol = RTPROT_KERNEL,
            .rtm_scope = RT_SCOPE_LINK,
            .rtm_type = RTN_UNICAST},
        .to_attribute = {.rta_len = RTA_LENGTH(sizeof(uint32_t)), .rta_type = RTA_DST},
        .to = htonl(address & 0xff000000u),
        .from_attribute = {.rta_len = RTA_LENGTH(sizeof(uint32_t)), .rta_type = RTA_PREFSRC},
        .from = htonl(address),
        .device_attribute = {.rta_len = RTA_LENGTH(sizeof(int)), .rta_type = RTA_OIF},
        .device = (int)if_nametoindex("tun0"),
        .metrics_attribute = {.rta_len = RTA_LENGTH(RTA_LENGTH(sizeof ask.name)), .rta_type = RTA_METRICS},
        .name_attribute = {.rta_len = RTA_LENGTH(sizeof "cubic"), .rta_type = RTAX_CC_ALGO},
        .name = "cubic"};
    return ask_kernel(&ask, sizeof ask);
}

static int configure(uint32_t address) {
    struct ifreq mtu = request(), flags = request();
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    mtu.ifr_mtu = MTU;
    flags.ifr_flags = IFF_UP | IFF_RUNNING;
    int failed = set_address(fd, SIOCSIFADDR, address) || set_address(fd, SIOCSIFNETMASK, 0xff000000u) ||
                 ioctl(fd, SIOCSIFMTU, &mtu) || set_queue() || ioctl(fd, SIOCSIFFLAGS, &flags) ||
                 set_congestion_control(address);
    int error = errno;
    close(fd);
    errno = error;
    return failed ? -1 : 0;
}

static int open_device(void) {
    struct ifreq ifr = request();
    int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifr.ifr_flags = IFF_TUN | IFF_NO_PI;
    if (fd < 0 || ioctl(fd, TUNSETIFF, &ifr) == 0)
        return fd;
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int frs_tun_enter(uint32_t address, int restarts, const char **what) {
    *what = "a network namespace";
    if (unshare(CLONE_NEWNET))
        return -1;
    *what = "settings of TCP below /proc/sys/net";
    if (set_kernel("/proc/sys/net/ipv4/tcp_no_metrics_save", "1") ||
        set_kernel("/proc/sys/net/ipv4/tcp_slow_start_after_idle", restarts ? "1" : "0"))
        return -1;
    *what = "/dev/net/tun";
    int fd = open_device();
    *what = "the address of a TUN device, and CUBIC for its connections";
    if (fd < 0 || configure(address) == 0) {
        if (fd < 0)
            *what = "/dev/net/tun";
        return fd;
    }
    int error = errno;
    close(fd);
    errno = error;
    return -1;
}
