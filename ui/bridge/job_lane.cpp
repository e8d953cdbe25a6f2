// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/job_lane.h"

#include <QCoreApplication>
#include <QEvent>

#include <utility>

namespace headscope::ui {

int Mailbox::wakeType() {
    static const int type = QEvent::registerEventType();
    return type;
}

void Mailbox::post(std::function<void()> message) {
    const std::scoped_lock lock(m_mutex);
    m_messages.push_back(std::move(message));
    if (m_woken) return;
    m_woken = true;
    QCoreApplication::postEvent(m_receiver, new QEvent(static_cast<QEvent::Type>(wakeType())));
}

void Mailbox::drain() {
    std::deque<std::function<void()>> messages;
    {
        const std::scoped_lock lock(m_mutex);
        messages.swap(m_messages);
        m_woken = false;
    }
    for (const auto& message : messages) {
        message();
    }
}

JobLane::JobLane() : m_thread([this] { loop(); }) {}

JobLane::~JobLane() {
    std::deque<std::function<void()>> dropped;
    std::deque<std::function<void()>> droppedToo;
    {
        const std::scoped_lock lock(m_mutex);
        m_stopping = true;
        dropped.swap(m_jobs);
        droppedToo.swap(m_laterJobs);
    }
    m_work.notify_one();
    m_thread.join();
}

void JobLane::submit(std::function<void()> job) {
    add(m_jobs, std::move(job));
}

void JobLane::submitLater(std::function<void()> job) {
    add(m_laterJobs, std::move(job));
}

void JobLane::add(std::deque<std::function<void()>>& queue, std::function<void()> job) {
    {
        const std::scoped_lock lock(m_mutex);
        queue.push_back(std::move(job));
    }
    m_work.notify_one();
}

void JobLane::loop() {
    while (true) {
        std::function<void()> job;
        {
            std::unique_lock lock(m_mutex);
            m_work.wait(lock, [this] { return m_stopping || !m_jobs.empty() || !m_laterJobs.empty(); });
            if (m_stopping) return;
            auto& queue = m_jobs.empty() ? m_laterJobs : m_jobs;
            job = std::move(queue.front());
            queue.pop_front();
        }
        job();
    }
}

} // namespace headscope::ui
