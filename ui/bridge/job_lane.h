// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

class QObject;

namespace headscope::ui {

/// Messages from a worker to the thread of `receiver`. One wake-up event stands for all messages that wait,
/// and it is posted and received under the same lock, so that nothing depends on locks inside Qt. Closures
/// are run by drain(), which the receiver calls when its event of type wakeType() arrives.
class Mailbox {
  public:
    explicit Mailbox(QObject* receiver) : m_receiver(receiver) {}

    static int wakeType();

    void post(std::function<void()> message);
    /// Runs what waits, on the calling thread. A message may post others: they come with the next event.
    void drain();

  private:
    QObject* m_receiver;
    std::mutex m_mutex;
    std::deque<std::function<void()>> m_messages;
    bool m_woken = false;
};

/// One thread that runs jobs in order; those that were submitted for later wait until no other job does. The
/// destructor drops what has not begun and waits for what has: cancel it first. Jobs must not throw.
class JobLane {
  public:
    JobLane();
    ~JobLane();
    JobLane(const JobLane&) = delete;
    JobLane& operator=(const JobLane&) = delete;

    void submit(std::function<void()> job);
    void submitLater(std::function<void()> job);

  private:
    void add(std::deque<std::function<void()>>& queue, std::function<void()> job);
    void loop();

    std::mutex m_mutex;
    std::condition_variable m_work;
    std::deque<std::function<void()>> m_jobs;
    std::deque<std::function<void()>> m_laterJobs;
    bool m_stopping = false;
    std::thread m_thread; // last: starts when all else is ready
};

} // namespace headscope::ui
