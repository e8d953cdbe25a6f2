// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/checkpoint/weights_file.h"

#include "core/base/check.h"
#include "core/base/error.h"
#include "core/checkpoint/foreign_content.h"

#include <sys/stat.h>
#include <utility>

namespace headscope {

WeightsFile::WeightsFile(const std::filesystem::path& path) : m_stamp(stampOf(path)), m_file(path) {}

WeightsFile::WeightsFile(InputFile embedded) : m_file(std::move(embedded)) {
    HS_CHECK(m_file.isEmbedded());
}

WeightsFile::Stamp WeightsFile::stampOf(const std::filesystem::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return {.inode = status.st_ino,
            .bytes = static_cast<std::uint64_t>(status.st_size),
            .seconds = status.st_mtim.tv_sec,
            .nanoseconds = status.st_mtim.tv_nsec};
}

void WeightsFile::requireUnchanged() const {
    if (!m_file.isEmbedded() && stampOf(m_file.path()) != m_stamp)
        fail(messageName(m_file.path()), "the file changed while it was open", {},
             "open it again when it is complete");
}

void WeightsFile::readAt(std::uint64_t offset, std::span<std::byte> out) const {
    requireUnchanged();
    m_file.readAt(offset, out);
}

} // namespace headscope
