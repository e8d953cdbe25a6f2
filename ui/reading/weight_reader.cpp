// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/reading/weight_reader.h"

#include <QMetaObject>

#include <algorithm>
#include <exception>
#include <utility>

namespace headscope::ui {

WeightLine readLine(const HeadMap& map, bool column, std::int64_t index) {
    WeightLine line;
    line.column = column;
    line.index = index;
    line.weights = column ? map.column(index) : map.row(index);
    line.visible.assign(line.weights.size(), 0);
    std::vector<Span> spans;
    if (!column) {
        map.visibleSpans(index, spans);
        std::int64_t seen = 0;
        for (const Span& span : spans) {
            std::fill(line.visible.begin() + span.begin, line.visible.begin() + span.end, std::uint8_t{1});
            seen += span.end - span.begin;
        }
        if (seen > 0) line.evenWeight = 1.0F / static_cast<float>(seen);
        return line;
    }
    for (std::size_t row = 0; row < line.visible.size(); ++row) {
        map.visibleSpans(static_cast<std::int64_t>(row), spans);
        line.visible[row] = std::any_of(spans.begin(), spans.end(), [index](const Span& span) {
            return index >= span.begin && index < span.end;
        });
    }
    return line;
}

WeightReader::WeightReader(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_pool.setObjectName(QStringLiteral("weights"));
}

WeightReader::~WeightReader() {
    m_pool.clear();
    m_pool.waitForDone();
}

void WeightReader::setMap(std::shared_ptr<const HeadMap> map) {
    cancel();
    m_map = std::move(map);
}

void WeightReader::cancel() {
    ++m_serial;
    m_wanted.reset();
}

void WeightReader::request(bool column, std::int64_t index) {
    cancel();
    if (!m_map) return;
    const Extent extent = m_map->extent();
    if (index < 0 || index >= (column ? extent.columns : extent.rows)) return;
    if (extent.rows + extent.columns <= kAtOnce) {
        Q_EMIT ready(readLine(*m_map, column, index));
        return;
    }
    m_wanted = Wish{column, index};
    if (!m_running) start();
}

void WeightReader::start() {
    const Wish wish = *std::exchange(m_wanted, std::nullopt);
    m_running = true;
    m_pool.start([this, map = m_map, wish, serial = m_serial] {
        std::shared_ptr<const WeightLine> line;
        try {
            line = std::make_shared<const WeightLine>(readLine(*map, wish.column, wish.index));
        } catch (const std::exception&) {
            line = nullptr; // out of memory: nothing is coloured
        }
        QMetaObject::invokeMethod(
            this, [this, line, serial] { finish(line, serial); }, Qt::QueuedConnection);
    });
}

void WeightReader::finish(const std::shared_ptr<const WeightLine>& line, std::uint64_t serial) {
    m_running = false;
    if (m_wanted) start();
    if (line && serial == m_serial) Q_EMIT ready(*line);
}

} // namespace headscope::ui
