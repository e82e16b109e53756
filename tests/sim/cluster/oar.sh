# An OAR server with two virtual nodes on this machine, for tests. Everything runs in a copy of this system that exists as long
# as the test: an overlay in memory over the files of the machine, with processes, network, host name and mounts of its own.
# Nothing is written to the machine, and when the test ends, every daemon does. That takes root. POSIX sh, to be sourced:
#   oar_missing               prints what lacks to begin with; nothing if a copy can be made
#   oar_enter SCRIPT ARG...   becomes `sh SCRIPT ARG...` in a copy with OAR installed, by apt where the machine has none
#   oar_start                 in the copy: a database, the server, two nodes, and a user, oar_user, who may submit
#   oar_as_user COMMAND...    runs a command as that user
#   oar_runs N PATTERN        whether a process with such a command line runs on node N (1 or 2)
#   oar_kill_node N           the power cut: everything that runs on node N ends at once, the daemon that OAR speaks to, too
#   oar_start_node N          switches it on (again)
#   oar_logs                  prints the end of every log
# shellcheck shell=sh

PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
oar_packages='oar-server oar-server-pgsql oar-node oar-user oar-user-pgsql postgresql'
oar_user=sweeper

oar_missing() {
    [ "$(id -u)" -eq 0 ] || echo "root"
    for tool in unshare setpriv apt-get ip; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
    grep -qw overlay /proc/filesystems || modprobe overlay 2>/dev/null || echo "overlay in the kernel"
    unshare --mount --pid --net --fork true 2>/dev/null || echo "the right to unshare"
    [ -x /usr/sbin/Almighty ] || apt-cache show oar-server >/dev/null 2>&1 || echo "a package oar-server for apt"
}

oar_enter() {
    export OAR_TEST_HERE="${0%/*}"
    # Becomes unshare, so that whatever ends the test ends all of the copy.
    # shellcheck disable=SC2016 # for the shell within
    exec unshare --mount --pid --ipc --uts --fork --kill-child sh -c '. "$OAR_TEST_HERE/oar.sh"; oar_copy "$@"' oar "$@"
}

# Below /mnt, which in this space of mounts is another one.
oar_copy() {
    root=/mnt/root
    mount -t tmpfs -o mode=755 oar /mnt && mkdir -m 755 /mnt/upper /mnt/work $root &&
        mount -t overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work oar $root || exit 1
    mount -t proc proc $root/proc && mount --rbind /dev $root/dev && mount --rbind /sys $root/sys || exit 1
    mount -t tmpfs -o mode=755 oar $root/run && mount -t tmpfs -o mode=1777 oar $root/tmp || exit 1
    # What runs here is seen as it is, wherever it is mounted; it may be below /tmp.
    for oar_place in "$2" "$OAR_TEST_HERE/../.."; do
        oar_place=$(CDPATH='' cd -- "$oar_place" && pwd)
        mkdir -p "$root$oar_place" && mount --rbind "$oar_place" "$root$oar_place" || exit 1
    done
    mkdir -p $root/run/lock $root/run/sshd
    printf '#!/bin/sh\nexit 101\n' >$root/usr/sbin/policy-rc.d && chmod 755 $root/usr/sbin/policy-rc.d
    if [ ! -x $root/usr/sbin/Almighty ]; then
        # shellcheck disable=SC2086 # words
        DEBIAN_FRONTEND=noninteractive chroot $root apt-get install -y -qq --no-install-recommends $oar_packages >/mnt/apt.log 2>&1 </dev/null || {
            tail -n 5 /mnt/apt.log
            echo "SKIPPED $1: OAR cannot be installed into the copy of this system"
            exit 0
        }
    fi
    # From here on without the network of the machine.
    exec unshare --net chroot $root sh "$@"
}

# oar_within SECONDS COMMAND...: repeats the command until it succeeds; fails after that time.
oar_within() {
    oar_left=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        oar_left=$((oar_left - 1))
        [ "$oar_left" -gt 0 ] || return 1
        sleep 0.2
    done
}

oar_start() {
    ip link set lo up && hostname front || return 1
    printf '127.0.0.1 localhost front\n127.0.1.1 n1\n127.0.1.2 n2\n' >/etc/hosts
    id "$oar_user" >/dev/null 2>&1 || useradd -m -s /bin/sh "$oar_user" || return 1
    oar_start_database >/tmp/database.log 2>&1 || return 1
    # Without control groups, which are the machine's. The times are short, so that a lost job is given up in seconds.
    sed -i -e 's/^DB_BASE_PASSWD\(_RO\|\)=.*/DB_BASE_PASSWD\1="oar"/; s/^JOB_RESOURCE_MANAGER_PROPERTY_DB_FIELD/#&/' \
        -e 's/^CPUSET_PATH/#&/; s/sentinelle.pl -t 30/sentinelle.pl -t 10/' /etc/oar/oar.conf
    printf '%s\n' 'JOBDEL_SOFTWALLTIME="5"' 'JOBDEL_WALLTIME="10"' >>/etc/oar/oar.conf
    oar-database --create --db-is-local >>/tmp/database.log 2>&1 || return 1
    for oar_node in 1 2; do
        oar_start_node "$oar_node" || return 1
    done
    su oar -s /bin/sh -c "PATH=$PATH Almighty" >/tmp/server.log 2>&1 </dev/null &
    oar_within 30 oarnodesetting -a -h n1 && oarnodesetting -a -h n2 >/dev/null && oar_within 60 oar_is_ready
}

# Not the cluster of databases that Debian makes, which this machine may use.
oar_start_database() {
    for oar_binaries in /usr/lib/postgresql/*/bin; do :; done
    install -d -o postgres -g postgres /run/postgresql /tmp/database || return 1
    su postgres -s /bin/sh -c "$oar_binaries/initdb -D /tmp/database -A trust -E UTF8 --no-sync" || return 1
    su postgres -s /bin/sh -c "exec $oar_binaries/postgres -D /tmp/database -F -c listen_addresses=127.0.0.1" </dev/null &
    oar_within 30 su postgres -s /bin/sh -c "psql -c 'select 1'"
}

# Processes of its own, whose first one is the daemon: when that is killed, the kernel kills all others.
oar_start_node() {
    sed '/^HostKey .*dsa/d; /UsePrivilegeSeparation/d; /^KeepAlive/d; /^Protocol/d; s/^LogLevel .*/LogLevel ERROR/' /etc/oar/sshd_config >"/etc/oar/sshd_n$1"
    echo "ListenAddress 127.0.1.$1" >>"/etc/oar/sshd_n$1"
    unshare --mount --pid --uts --fork --kill-child --mount-proc \
        sh -c "hostname n$1 && exec /usr/sbin/sshd -D -e -f /etc/oar/sshd_n$1" >>"/tmp/n$1.log" 2>&1 </dev/null &
    oar_within 10 oar_listens "$1"
}

oar_listens() { ssh-keyscan -p 6667 "n$1" 2>/dev/null | grep -q ssh; }

oar_is_ready() {
    [ "$(oarnodes | grep -c 'state : Alive')" -eq 2 ]
}

# The first process of a node, seen from here.
oar_daemon() { pgrep -o -f "^sshd: .*-f /etc/oar/sshd_n$1 .*listener"; }

oar_kill_node() {
    kill -s KILL "$(oar_daemon "$1")" && oar_within 10 oar_is_off "$1"
}

oar_runs() {
    oar_space=$(readlink "/proc/$(oar_daemon "$1")/ns/pid")
    for oar_process in $(pgrep -f "$2"); do
        [ "$(readlink "/proc/$oar_process/ns/pid")" != "$oar_space" ] || return 0
    done
    return 1
}

oar_is_off() { ! oar_listens "$1"; }

oar_as_user() {
    setpriv --reuid="$oar_user" --regid="$oar_user" --init-groups env HOME="/home/$oar_user" USER="$oar_user" LOGNAME="$oar_user" "$@"
}

oar_logs() {
    for oar_log in /tmp/*.log /var/log/oar.log; do
        [ ! -s "$oar_log" ] || { echo "--- end of $oar_log" && tail -n 30 "$oar_log"; }
    done
}
