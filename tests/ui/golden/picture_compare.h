// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>

#include <algorithm>
#include <vector>

namespace headscope::ui::test {

/// How alike two pictures of a widget must be. Another version of Qt or of the font rasteriser smooths edges
/// otherwise and may set a line of text a pixel aside; it moves, adds or leaves out nothing.
struct Likeness {
    int reach = 1;      ///< pixels that an edge may be aside
    int tolerance = 40; ///< of a channel, of 255
    int window = 12;    ///< side of a square in which pixels that differ are counted
    int most = 6;       ///< of them in any such square
};

inline Likeness likenessAt(int ratio) {
    return {.reach = ratio, .tolerance = 40, .window = 12 * ratio, .most = 6 * ratio * ratio};
}

/// What two pictures differ by.
struct PictureDifference {
    int worst = 0;  ///< the most pixels that differ in one square
    QPoint at;      ///< the corner of that square
    QImage picture; ///< pale where alike, red where not

    bool isAlike(const Likeness& likeness) const { return worst <= likeness.most; }
};

/// [height * width] values of one channel.
using Plane = std::vector<int>;

inline Plane planeOf(const QImage& image, int shift) {
    Plane plane;
    plane.reserve(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()));
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            plane.push_back(static_cast<int>((image.pixel(x, y) >> shift) & 0xFFU));
    return plane;
}

/// Each value becomes the least (or the largest) of those at most `reach` aside.
template <typename Better>
Plane extremes(const Plane& plane, QSize size, int reach, Better better) {
    const auto along = [&](const Plane& in, int dx, int dy) {
        Plane out = in;
        for (int y = 0; y < size.height(); ++y)
            for (int x = 0; x < size.width(); ++x)
                for (int k = -reach; k <= reach; ++k) {
                    const int nearX = std::clamp(x + k * dx, 0, size.width() - 1);
                    const int nearY = std::clamp(y + k * dy, 0, size.height() - 1);
                    int& value = out[static_cast<std::size_t>(y * size.width() + x)];
                    value = better(value, in[static_cast<std::size_t>(nearY * size.width() + nearX)]);
                }
        return out;
    };
    return along(along(plane, 1, 0), 0, 1);
}

/// Marks pixels of `a` that lie, by more than the tolerance, outside of all that is near in `b`.
inline void markStrange(const Plane& a, const Plane& b, QSize size, const Likeness& likeness,
                        std::vector<bool>& strange) {
    const Plane low = extremes(b, size, likeness.reach, [](int x, int y) { return std::min(x, y); });
    const Plane high = extremes(b, size, likeness.reach, [](int x, int y) { return std::max(x, y); });
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] < low[i] - likeness.tolerance || a[i] > high[i] + likeness.tolerance) strange[i] = true;
}

/// Both pictures have the same size; both ways, so that what is missing counts like what is too much.
inline PictureDifference differenceOf(const QImage& golden, const QImage& actual, const Likeness& likeness) {
    const QSize size = golden.size();
    const auto pixels = static_cast<std::size_t>(size.width()) * static_cast<std::size_t>(size.height());
    std::vector<bool> strange(pixels, false);
    for (const int shift : {0, 8, 16}) {
        const Plane a = planeOf(golden, shift);
        const Plane b = planeOf(actual, shift);
        markStrange(a, b, size, likeness, strange);
        markStrange(b, a, size, likeness, strange);
    }
    PictureDifference difference;
    difference.picture = QImage(size, QImage::Format_RGB32);
    // Sums of all that is above and to the left.
    const auto width = static_cast<std::size_t>(size.width()) + 1;
    std::vector<int> sums(width * (static_cast<std::size_t>(size.height()) + 1), 0);
    for (int y = 0; y < size.height(); ++y)
        for (int x = 0; x < size.width(); ++x) {
            const bool marked = strange[static_cast<std::size_t>(y * size.width() + x)];
            const int pale = 200 + qGray(actual.pixel(x, y)) / 5;
            difference.picture.setPixel(x, y, marked ? qRgb(220, 0, 0) : qRgb(pale, pale, pale));
            const std::size_t at = static_cast<std::size_t>(y + 1) * width + static_cast<std::size_t>(x + 1);
            sums[at] = sums[at - 1] + sums[at - width] - sums[at - width - 1] + (marked ? 1 : 0);
            const auto left = static_cast<std::size_t>(std::min(likeness.window, x + 1));
            const auto up = static_cast<std::size_t>(std::min(likeness.window, y + 1)) * width;
            const int count = sums[at] - sums[at - left] - sums[at - up] + sums[at - up - left];
            if (count <= difference.worst) continue;
            difference.worst = count;
            difference.at = QPoint(x + 1 - static_cast<int>(left), y + 1 - static_cast<int>(up / width));
        }
    return difference;
}

} // namespace headscope::ui::test
