# A run of three clients whose links and devices are in a table: s.cfg and fleet.csv. To be sourced after tests/expect.sh.
# shellcheck shell=sh

# 36 items of 50 numbers: 7200 bytes and a header of 24.
cat >s.cfg <<'END_OF_FILE'
data = { synthetic = "custom"; users = 3; items = 36; interactions = 36; activity_ceiling = 0.5; };
evaluation = { candidates = "full"; };
training = { enabled = false; };
method = { name = "fedmf"; dim = 50; };
network = { model = "exact"; fleet = "fleet.csv"; latency = "100 ms"; };
devices = { fleet = "fleet.csv"; compute = "fixed"; overhead = "1 s"; };
rounds = { count = 2; cohort = 3; };
END_OF_FILE
cat >fleet.csv <<'END_OF_FILE'
client,class,down_bytes_per_s,up_kbit_s,speed_Gflop_s,memory_MiB
2,old,4000,16,1,64
0,new,8000,32,2,unlimited
1,new,4000,16,2,128
END_OF_FILE
