/* The tables of all codecs that stand in this folder. */
#include "algorithms/codec.h"

#define CODEC(name) extern const struct frs_codec frs_codec_##name;
#include "algorithms/codecs/codecs.def"
#undef CODEC

#define CODEC(name) &frs_codec_##name,
const struct frs_codec *const frs_codecs[] = {
#include "algorithms/codecs/codecs.def"
    NULL,
};
#undef CODEC

#define CODEC(name) &frs_codec_##name.plugin,
const struct frs_plugin *frs_codec_plugins[FRS_REGISTRY_ROOM] = {
#include "algorithms/codecs/codecs.def"
    NULL,
};
