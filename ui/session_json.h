// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/json_fields.h"
#include "ui/session.h"

class QJsonObject;

/// The JSON of a session as a part of what is saved by itself, which knows a few fields more.
namespace headscope::ui {

QJsonObject sessionObject(const SessionContent& content);
/// Asks `fields` for those of a session; the caller asks for its own and then refuses the others.
SessionContent readSession(const JsonFields& fields);
/// The bytes of a file of at most kLargestSession. Throws Error{subject = file name}.
QByteArray readSessionBytes(const QString& path);
/// Whole or not at all. Throws Error.
void writeSessionBytes(const QString& path, const QByteArray& json);

} // namespace headscope::ui
