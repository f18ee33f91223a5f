#pragma once
#include <libraw/libraw.h>
#include <stdbool.h>

// The structure has arrays too long for Swift: what is read of it is read here.

// The size that the camera means; where it does not say, that of the picture made of its whole sensor, unturned.
static inline void shim_raw_size(libraw_data_t *raw, int *width, int *height) {
#if LIBRAW_COMPILE_CHECK_VERSION_NOTLESS(0, 21)
    libraw_raw_inset_crop_t crop = raw->sizes.raw_inset_crops[0];
#else
    libraw_raw_inset_crop_t crop = raw->sizes.raw_inset_crop;
#endif
    raw->params.user_flip = 0;
    libraw_adjust_sizes_info_only(raw);
    bool has_crop = crop.cwidth > 0 && crop.cheight > 0;
    *width = has_crop ? crop.cwidth : raw->sizes.iwidth;
    *height = has_crop ? crop.cheight : raw->sizes.iheight;
}

static inline const char *shim_raw_make(const libraw_data_t *raw) { return raw->idata.make; }
static inline const char *shim_raw_model(const libraw_data_t *raw) { return raw->idata.model; }
static inline const char *shim_raw_lens(const libraw_data_t *raw) { return raw->lens.Lens; }
static inline long long shim_raw_time(const libraw_data_t *raw) { return raw->other.timestamp; }
