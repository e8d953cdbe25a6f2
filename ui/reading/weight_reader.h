// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/maps/head_map.h"

#include <QObject>
#include <QThreadPool>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headscope::ui {

/// One row or column of a head.
struct WeightLine {
    bool column = false;
    std::int64_t index = 0;
    std::vector<float> weights;
    std::vector<std::uint8_t> visible; ///< 1 where the query may see the key
    float evenWeight = 0.0F;           ///< of a row: 1 / the keys it may see; of a column: not known, 0
};

/// Row or column `index` of the map.
WeightLine readLine(const HeadMap& map, bool column, std::int64_t index);

/// Reads rows and columns: of small maps at once, of large ones on a thread of its own, the latest wish
/// first.
class WeightReader : public QObject {
    Q_OBJECT
  public:
    /// Rows plus columns of a map that is read at once. A line of it takes well under a frame, even where it
    /// is made from all heads.
    static constexpr std::int64_t kAtOnce = 4096;

    explicit WeightReader(QObject* parent = nullptr);
    ~WeightReader() override;

    void setMap(std::shared_ptr<const HeadMap> map);
    /// ready() follows, within this call for small maps. Wishes that were overtaken are dropped.
    void request(bool column, std::int64_t index);
    void cancel();
    bool isIdle() const { return !m_running && !m_wanted; }

  Q_SIGNALS:
    void ready(const headscope::ui::WeightLine& line);

  private:
    struct Wish {
        bool column = false;
        std::int64_t index = 0;
    };
    void start();
    void finish(const std::shared_ptr<const WeightLine>& line, std::uint64_t serial);

    std::shared_ptr<const HeadMap> m_map;
    std::optional<Wish> m_wanted; ///< what waits for the thread
    std::uint64_t m_serial = 0;   ///< of the latest wish; older answers are dropped
    bool m_running = false;
    QThreadPool m_pool;
};

} // namespace headscope::ui
