#pragma once
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/log.h>

// Macros that Swift does not import.
static const int shim_av_end_of_file = AVERROR_EOF;
static const int shim_av_io_error = AVERROR(EIO);
static const int shim_av_asks_size = AVSEEK_SIZE;
static const int64_t shim_av_no_time = AV_NOPTS_VALUE;
static const int shim_av_time_base = AV_TIME_BASE;
