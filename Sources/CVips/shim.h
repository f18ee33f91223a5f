#pragma once
#include <dlfcn.h>
#include <vips/vips.h>
#include <vips/vector.h>

// vips_image_new_from_source is variadic. Reads the header of whatever the source holds; NULL, and the reason in
// vips_error_buffer, where it cannot. It is asked first whether it knows the format: where it does not, 8.14 would map
// the source for loaders that take none as if it were a pipe, and abort where it is none (vips_source_map).
static inline VipsImage *shim_vips_open(VipsSource *source) {
    if (!vips_foreign_find_load_source(source)) return NULL;
    return vips_image_new_from_source(source, "", "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

static inline void shim_vips_release(void *object) { g_object_unref(object); }

// Warnings are written to standard error otherwise, one by one.
static inline GLogWriterOutput shim_vips_ignore(
    GLogLevelFlags level, const GLogField *fields, gsize count, gpointer unused) {
    return G_LOG_WRITER_HANDLED;
}

static inline void shim_vips_be_quiet(void) { g_log_set_writer_func(shim_vips_ignore, NULL, NULL); }

// heif_init(), which opens libheif's plugins; else its first picture does. libvips has loaded libheif with its own
// module, if it has it at all, so that it is found without linking it.
static inline void shim_vips_load_heif_decoders(void) {
    struct heif_answer {
        int code;
        int subcode;
        const char *message;
    };
    struct heif_answer (*init)(void *) = (struct heif_answer (*)(void *))dlsym(NULL, "heif_init");
    if (init) init(NULL);
}
