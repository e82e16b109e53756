#include "sim/cli/commands.h"

int main(int argc, char **argv) {
    return frs_cli_main(argc, argv);
}
