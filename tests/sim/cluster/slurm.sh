# A SLURM cluster of two virtual nodes on this machine, for tests: own munge, own sockets, ports and logs, everything in
# one scratch folder; neither root nor systemd nor cgroups are needed. POSIX sh, to be sourced:
#   cluster_missing          prints what is not installed; nothing if a cluster can be started
#   cluster_start FOLDER     starts everything in FOLDER (new, a short path) and waits until both nodes are idle
#   cluster_kill_node NODE   the power cut: the node's daemon and everything it runs end at once (n1 or n2)
#   cluster_start_node NODE  switches a node on (again)
#   cluster_stop             ends every process of the cluster; the folder stays
#   cluster_logs             prints the end of every log
# Afterwards sbatch, squeue and so on talk to this cluster (SLURM_CONF is exported).
# shellcheck shell=sh

# A user's PATH may lack where the daemons are.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
cluster_nodes='n1 n2'

cluster_missing() {
    id -un >/dev/null 2>&1 || echo "a name for this user"
    for tool in munged mungekey slurmctld slurmd sbatch squeue scontrol; do
        command -v "$tool" >/dev/null || echo "$tool"
    done
}

# cluster_within SECONDS COMMAND...: repeats the command until it succeeds; fails after that time.
cluster_within() {
    cluster_left=$(($1 * 5))
    shift
    until "$@" >/dev/null 2>&1; do
        cluster_left=$((cluster_left - 1))
        [ "$cluster_left" -gt 0 ] || return 1
        sleep 0.2
    done
}

cluster_start() {
    cluster=$1
    mkdir -p "$cluster" && chmod 755 "$cluster" || return 1
    cluster_start_munge || return 1
    # Ports are picked by chance: somebody else's choice may be the same, so that a second set is tried, and a third.
    for cluster_try in 1 2 3; do
        cluster_configure
        cluster_start_daemons && return 0
        echo "cluster: attempt $cluster_try with ports from $cluster_port failed"
        cluster_logs
        cluster_stop_daemons
    done
    return 1
}

cluster_start_munge() {
    mkdir -p "$cluster/munge" && chmod 755 "$cluster/munge" || return 1
    mungekey --create --keyfile="$cluster/munge/key" || return 1
    # --force: a scratch folder may lie below one that others can write to.
    munged --force --foreground --num-threads=2 --key-file="$cluster/munge/key" --socket="$cluster/munge/socket" \
        --pid-file="$cluster/munge/pid" --log-file="$cluster/munge/log" --seed-file="$cluster/munge/seed" \
        >"$cluster/munge.log" 2>&1 </dev/null &
    cluster_munge=$!
    cluster_within 20 munge --no-input --socket="$cluster/munge/socket" || {
        cluster_logs
        return 1
    }
}

# Below the range from which the kernel takes ports for outgoing connections.
cluster_random_port() {
    echo $((10000 + $(od -An -N2 -tu2 /dev/urandom) % 20000))
}

# Short timeouts: a lost node is noticed in seconds and its jobs start again at once (cred_expire: how long a requeued
# job waits); jobs are started every second. Each node pretends to have two processors, whatever the machine has.
cluster_configure() {
    cluster_port=$(cluster_random_port)
    cluster_host=$(hostname)
    cluster_host=${cluster_host%%.*}
    mkdir -p "$cluster/state"
    cat >"$cluster/slurm.conf" <<CONF
ClusterName=fedrecsim
SlurmctldHost=$cluster_host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$cluster/munge/socket,cred_expire=5
SlurmctldPort=$cluster_port
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmctldLogFile=$cluster/slurmctld.log
SlurmdPidFile=$cluster/slurmd-%n.pid
SlurmdLogFile=$cluster/slurmd-%n.log
SlurmdSpoolDir=$cluster/spool-%n
StateSaveLocation=$cluster/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=1
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SlurmdTimeout=6
SlurmctldTimeout=10
MessageTimeout=5
KillWait=5
InactiveLimit=0
MinJobAge=300
TreeWidth=2
SlurmdParameters=config_overrides
${CLUSTER_OPTIONS-}
NodeName=n1 NodeHostname=$cluster_host NodeAddr=127.0.0.1 Port=$((cluster_port + 1)) CPUs=2 RealMemory=1000 State=UNKNOWN
NodeName=n2 NodeHostname=$cluster_host NodeAddr=127.0.0.1 Port=$((cluster_port + 2)) CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=10 State=UP
CONF
    export SLURM_CONF="$cluster/slurm.conf"
}

cluster_start_daemons() {
    slurmctld -D -c >"$cluster/slurmctld.out" 2>&1 </dev/null &
    cluster_controller=$!
    for cluster_node in $cluster_nodes; do
        cluster_start_node "$cluster_node"
    done
    cluster_within 30 cluster_is_settled && cluster_is_idle
}

cluster_start_node() {
    mkdir -p "$cluster/spool-$1"
    slurmd -D -N "$1" >>"$cluster/slurmd-$1.out" 2>&1 </dev/null &
}

# Processes of this user that were started with a variable, VARIABLE=VALUE. Not this shell, which got it later, and not
# the search itself.
cluster_processes() {
    for cluster_file in $(env -u SLURM_CONF grep -lzxF "$1" /proc/[0-9]*/environ 2>/dev/null); do
        cluster_file=${cluster_file%/environ}
        echo "${cluster_file#/proc/}"
    done
}

# Daemons are halted first: they must not live to tell how their jobs ended, and where they die before their jobs the system
# hangs up on those (SIGHUP), which is no power cut. Twice, because the node may start a job while they are looked for; once
# halted it starts none. Of the jobs' processes the youngest goes first: a point that is halted is hung up on and let go when the
# shell it belongs to dies before it.
cluster_kill_node() {
    for cluster_pass in 1 2; do
        for cluster_process in $(cluster_daemons "$1"); do
            kill -s STOP "$cluster_process"
        done 2>/dev/null
        [ "$cluster_pass" -eq 2 ] || sleep 0.2
    done
    # A task must not see its points end before itself.
    for cluster_process in $(cluster_processes "SLURMD_NODENAME=$1"); do
        ! grep -qzxF "SLURM_CONF=$SLURM_CONF" "/proc/$cluster_process/environ" || kill -s STOP "$cluster_process"
    done 2>/dev/null
    for cluster_process in $(cluster_processes "SLURMD_NODENAME=$1" | sort -rn); do
        ! grep -qzxF "SLURM_CONF=$SLURM_CONF" "/proc/$cluster_process/environ" || cluster_kill "$cluster_process"
    done 2>/dev/null
    cluster_within 10 cluster_daemons_are_gone "$1"
}

# A node's daemon and those that look after its jobs are known by the log they write.
cluster_daemons() {
    for cluster_process in $(cluster_processes "SLURM_CONF=$SLURM_CONF"); do
        # shellcheck disable=SC2010 # links are to be read, names are numbers
        ! ls -l "/proc/$cluster_process/fd" 2>/dev/null | grep -qF " $cluster/slurmd-$1.log" || echo "$cluster_process"
    done
}

cluster_daemons_are_gone() {
    cluster_found=$(cluster_daemons "$1")
    # shellcheck disable=SC2086 # one word per process
    cluster_kill $cluster_found
    [ -z "$cluster_found" ]
}

cluster_kill() {
    [ $# -eq 0 ] || kill -s KILL "$@" 2>/dev/null || true
}

cluster_stop() {
    cluster_stop_daemons
    [ -z "${cluster_munge-}" ] || cluster_kill "$cluster_munge"
    cluster_munge=
}

# Until a look finds nothing: a daemon may have been starting something.
cluster_stop_daemons() {
    [ -n "${SLURM_CONF-}" ] || return 0
    cluster_within 10 cluster_nothing_runs || echo "cluster: still running: $cluster_found"
}

cluster_nothing_runs() {
    cluster_found=$(cluster_processes "SLURM_CONF=$SLURM_CONF")
    # shellcheck disable=SC2086 # one word per process
    cluster_kill $cluster_found
    [ -z "$cluster_found" ]
}

# A controller that could not start will not do so later, either.
cluster_is_settled() {
    ! kill -0 "$cluster_controller" 2>/dev/null || cluster_is_idle
}

cluster_is_idle() {
    [ "$(sinfo -h -N -o '%N %T' | sort | tr '\n' ' ')" = 'n1 idle n2 idle ' ]
}

# What a daemon prints is what it logs, and why it could not begin to.
cluster_logs() {
    for cluster_log in "$cluster"/*.out "$cluster"/munge.log; do
        [ -s "$cluster_log" ] || continue
        echo "--- end of $cluster_log"
        grep -v -e 'mpi/pmix' -e 'Unauthorized credential' "$cluster_log" | tail -n 100
    done
}
