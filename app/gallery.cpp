// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gallery.h"

#include "core/base/file.h"

#include <fmt/format.h>
#include <iterator>
#include <system_error>
#include <vector>

#if HEADSCOPE_WITH_QT
#include "ui/export/headless_pictures.h"
#endif

namespace headscope::app {

namespace {

std::string htmlText(std::string_view text) {
    std::string escaped;
    for (const char c : escapeForMessage(text, 2000)) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

constexpr const char* kStyle = R"(
:root { color-scheme: light dark; --window: #f5f6f8; --panel: #fff; --line: #dfe2e8; --text: #1d222b; --muted: #626b79; }
@media (prefers-color-scheme: dark) {
  :root { --window: #15181d; --panel: #1d2127; --line: #2f353e; --text: #e4e8ee; --muted: #939cab; } }
body { margin: 0; padding: 24px; background: var(--window); color: var(--text); font: 14px/1.5 system-ui, sans-serif; }
h1 { font-size: 20px; margin: 0 0 4px; } h2 { font-size: 15px; margin: 28px 0 8px; }
p { margin: 0 0 16px; color: var(--muted); max-width: 80ch; overflow-wrap: anywhere; }
img { display: block; width: 100%; height: auto; border-radius: 4px; }
.whole, figure { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 12px; margin: 0; }
.whole { max-width: 900px; }
.heads { display: grid; gap: 12px; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); }
figcaption { margin-top: 8px; display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }
.labels { color: var(--muted); } a { color: inherit; text-decoration: none; }
)";

/// What was written so far, removed again unless it is complete.
class Unfinished {
  public:
    explicit Unfinished(std::filesystem::path folder) : m_folder(std::move(folder)) {
        std::error_code failed;
        m_made = std::filesystem::create_directory(m_folder, failed);
        if (failed)
            fail(escapeForMessage(m_folder.string()), "the folder cannot be made", {},
                 "check that its parent exists and can be written");
    }
    ~Unfinished() {
        if (m_kept) return;
        std::error_code ignored;
        for (const std::filesystem::path& file : m_files) std::filesystem::remove(file, ignored);
        if (m_made) std::filesystem::remove(m_folder, ignored);
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    std::filesystem::path add(const std::string& name) { return m_files.emplace_back(m_folder / name); }
    void keep() { m_kept = true; }

  private:
    std::filesystem::path m_folder;
    std::vector<std::filesystem::path> m_files;
    bool m_made = false;
    bool m_kept = false;
};

} // namespace

std::string pictureName(const HeadRef& head) {
    return fmt::format("head-{}.png", headText(head));
}

std::string galleryPage(const ExportPart& part, const std::string& title) {
    std::string page =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{0}</title>\n"
                    "<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
                    htmlText(title), kStyle);
    const Analysis& analysis = *part.analysis;
    const auto out = std::back_inserter(page);
    fmt::format_to(
        out,
        "<p>{} tokens. Rows are queries (the token that reads), columns are keys (the token that is "
        "read); layers and heads count from 0.</p>\n",
        analysis.text.axis->size());
    if (!analysis.input.ids) fmt::format_to(out, "<p>{}</p>\n", htmlText(analysis.input.text));
    page += "<a class=\"whole\" style=\"display:block\" href=\"grid.png\"><img src=\"grid.png\" alt=\"all "
            "heads\"></a>\n";
    int layer = -1;
    for (std::size_t i = 0; i < part.heads.size(); ++i) {
        const HeadRef& head = part.heads[i];
        if (head.layer.value != layer) {
            page += layer < 0 ? "" : "</div>\n";
            layer = head.layer.value;
            fmt::format_to(out, "<h2>Layer {}</h2>\n<div class=\"heads\">\n", layer);
        }
        std::string labels;
        for (const Label label : part.result(i).verdict.labels())
            if (label != Label::InsufficientEvidence)
                fmt::format_to(std::back_inserter(labels), "{}{}", labels.empty() ? "" : ", ", nameOf(label));
        fmt::format_to(out,
                       "<figure><a href=\"{0}\"><img loading=\"lazy\" src=\"{0}\" alt=\"head {1}\"></a>"
                       "<figcaption><b>{1}</b><span class=\"labels\">{2}</span></figcaption></figure>\n",
                       pictureName(head), headText(head), labels);
    }
    return page + "</div>\n</body>\n</html>\n";
}

#if HEADSCOPE_WITH_QT

void writeGallery(const ExportPart& part, const ui::PictureSettings& settings,
                  const ui::HeadlessPictures& pictures, const GalleryPlace& place) {
    Unfinished files(place.folder);
    const ProgressSink progress = place.session.console.progress();
    ui::PictureSettings headSettings = settings;
    headSettings.title.reset(); // the title is of the whole; each head has its name
    for (std::size_t i = 0; i < part.heads.size(); ++i) {
        place.session.cancel.throwIfCancelled();
        ExportPart one = part;
        one.heads = {part.heads[i]};
        pictures.writeHeads(one, headSettings, files.add(pictureName(part.heads[i])));
        if (progress)
            progress(
                {"picture", static_cast<std::int64_t>(i) + 1, static_cast<std::int64_t>(part.heads.size())});
    }
    pictures.writeGrid(*part.analysis, part.heads.front().kind, settings, files.add("grid.png"));
    place.session.cancel.throwIfCancelled();
    AtomicFile page(files.add("index.html"));
    page.write(galleryPage(part, settings.title.value_or(part.analysis->model->name)));
    page.commit();
    files.keep();
}

#endif

} // namespace headscope::app
