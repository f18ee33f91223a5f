import CAVFormat
import CExempi
import CVips
import Glibc

/// Loads every library with all that it would load later, when nothing can be opened any more.
struct Libraries {
    /// Of libvips: it is asked for nothing where it could not start.
    let hasVips: Bool
    let hasExempi: Bool

    init() {
        // Times without a zone are taken for UTC, wherever the machine stands; libraries look for no file of zones.
        setenv("TZ", "UTC0", 1)
        tzset()
        // A library that complains to a file as standard error would be ended: RLIMIT_FSIZE is 0.
        signal(SIGXFSZ, SIG_IGN)
        shim_vips_be_quiet()
        av_log_set_level(AV_LOG_QUIET)
        hasVips = vips_init("albumd-media") == 0
        if hasVips { startVips() }
        hasExempi = xmp_init()
    }
}

/// Lets libvips use its loaders of photographs only: the others are larger than what they are good for here.
private func startVips() {
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_vector_set_enabled(0)
    vips_operation_block_set("VipsForeignLoad", 1)
    for loader in ["Jpeg", "Png", "Nsgif", "Webp", "Tiff", "Heif", "Jp2k", "Jxl", "Ppm", "Rad"] {
        vips_operation_block_set("VipsForeignLoad\(loader)", 0)
    }
    shim_vips_load_heif_decoders()
}
