#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/log.h>

// Macros that Swift does not import.
static const int shim_av_end_of_file = AVERROR_EOF;
static const int shim_av_io_error = AVERROR(EIO);
static const int shim_av_asks_size = AVSEEK_SIZE;
static const int64_t shim_av_no_time = AV_NOPTS_VALUE;
static const int shim_av_time_base = AV_TIME_BASE;

// Nine numbers of 16.16 fixed point, or NULL; where they are kept has changed with FFmpeg 7.
static inline const int32_t *shim_av_display_matrix(const AVStream *stream) {
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVPacketSideData *data = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    return data && data->size >= 9 * sizeof(int32_t) ? (const int32_t *)data->data : NULL;
#else
    size_t size = 0;
    const uint8_t *data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
    return data && size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
#endif
}
