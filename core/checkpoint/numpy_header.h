// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/pytorch/strided_runs.h"
#include "core/checkpoint/tensor_source.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Longest header that is read, numpy's own default limit.
inline constexpr std::uint64_t kNumpyHeaderLimit = 10'000;

/// What stands before the data of an .npy file, or of an entry of an .npz archive.
struct NumpyHeader {
    enum class Text {
        Unicode, ///< '<U': code points of 4 bytes
        Bytes    ///< 'S': bytes
    };

    std::optional<DType> dtype; ///< of numbers and truth values
    std::optional<Text> text;   ///< of strings; one of the two is set
    std::int64_t elementBytes = 0;
    bool fortranOrder = false; ///< the first index runs fastest
    std::vector<std::int64_t> shape;
    std::int64_t elements = 0;
    std::uint64_t dataOffset = 0; ///< bytes before the data
};

bool isNumpy(std::string_view head); ///< by the first six bytes

/// `head`: the first bytes of `total`, as many as there are up to kNumpyHeaderLimit. Little-endian numbers
/// and strings are read. Throws Error{subject, ...} for other types, each by its name (objects would run code
/// from the file), and for a header that is malformed, too long or does not fit the bytes that follow;
/// `cutHint`: what to do where bytes are missing, which in an archive is damage and in a file of its own a
/// download that ended early.
NumpyHeader readNumpyHeader(std::string_view head, std::uint64_t total, const std::string& subject,
                            const char* cutHint);

/// The places of the elements among the array's own bytes, in the order in which they are read.
StridedRuns storageOrder(const NumpyHeader& header);

} // namespace headscope
