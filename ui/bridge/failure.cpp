// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/failure.h"

#include "core/base/error.h"

#include <QCoreApplication>

#include <new>

namespace headscope::ui {
namespace {

/// A hint as a sentence of its own.
QString asSentence(const std::string& text) {
    QString hint = QString::fromStdString(text).trimmed();
    if (hint.isEmpty()) return hint;
    hint[0] = hint[0].toUpper();
    if (!hint.endsWith(QLatin1Char('.'))) hint += QLatin1Char('.');
    return hint;
}

} // namespace

Failure failureOf(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Error& error) {
        ErrorParts parts = error.parts();
        const QString hint = asSentence(parts.hint);
        parts.hint.clear();
        const bool cancelled = parts.kind == ErrorKind::Cancelled;
        Failure failure{QString::fromStdString(Error(std::move(parts)).sentence()), hint, cancelled};
        if (const auto* needed = dynamic_cast<const AxesNeeded*>(&error))
            failure.question = needed->question();
        return failure;
    } catch (const std::bad_alloc&) {
        return {QCoreApplication::translate("Failure", "There is not enough memory for this."),
                QCoreApplication::translate("Failure", "Try a shorter text or a smaller model."), false};
    } catch (const std::exception& error) {
        return {QString::fromStdString(escapeForMessage(error.what(), 400)), QString(), false};
    } catch (...) {
        return {QCoreApplication::translate("Failure", "An unknown error stopped the work."), QString(),
                false};
    }
}

} // namespace headscope::ui
