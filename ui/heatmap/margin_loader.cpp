// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/heatmap/margin_loader.h"

#include <QMetaObject>

#include <exception>
#include <utility>

namespace headscope::ui {

MarginLoader::MarginLoader(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_pool.setObjectName(QStringLiteral("margins"));
}

MarginLoader::~MarginLoader() {
    m_cancel.cancel();
    m_pool.clear();
    m_pool.waitForDone();
}

void MarginLoader::setMap(std::shared_ptr<const HeadMap> map) {
    if (map == m_map) return;
    m_cancel.cancel();
    m_cancel = CancelToken();
    m_map = std::move(map);
    m_margins = nullptr;
    m_busy = m_map != nullptr;
    if (!m_map) return;
    m_pool.start([this, map = m_map, cancel = m_cancel] {
        std::shared_ptr<const MapMargins> made;
        try {
            made = std::make_shared<const MapMargins>(marginsOf(*map, cancel));
        } catch (const std::exception&) {
            made = nullptr; // cancelled, or out of memory: the strips stay empty
        }
        QMetaObject::invokeMethod(
            this,
            [this, cancel, made] {
                if (cancel.isCancelled()) return;
                m_margins = made;
                m_busy = false;
                Q_EMIT ready();
            },
            Qt::QueuedConnection);
    });
}

} // namespace headscope::ui
