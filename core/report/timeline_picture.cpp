// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <span>

#include "report/table.hpp"
#include "report/timeline.hpp"
#include "rhino/index.hpp"

namespace rhino::report {
namespace {

constexpr double kWidth = 1280, kLeft = 130, kRight = 24;
constexpr double kCompute = 20, kThin = 5, kDeviceGap = 7;  // heights
constexpr double kRoomOfDigit = 6.5;
constexpr double kGround = 0.5;  // opacity

struct Kind {
  const char* word;  ///< begins the names of its passes
  const char* colour;
};
constexpr Kind kKinds[] = {{"forward", "#3b76af"},
                           {"backward", "#4f9a52"},
                           {"weight", "#d9902f"},
                           {"prologue", "#8a8a8a"},
                           {"update", "#8d6cab"}};
constexpr const char* kOther = "#555555";
constexpr const char* kFlight = "#6fb1d8";
constexpr const char* kWait = "#d65f5f";

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') safe += "&amp;";
    else if (c == '<') safe += "&lt;";
    else if (c == '>') safe += "&gt;";
    else safe += c;
  }
  return safe;
}

const char* colour_of(const std::string& pass) {
  for (const Kind& kind : kKinds) {
    if (pass.rfind(kind.word, 0) == 0) return kind.colour;
  }
  return kOther;
}

std::string tick_text(double time_s) {
  if (time_s <= 0) return "0";
  if (time_s >= 0.1) return fmt::format("{:g} s", time_s);
  return time_s >= 1e-4 ? fmt::format("{:g} ms", 1e3 * time_s)
                        : fmt::format("{:g} us", 1e6 * time_s);
}

/// Where a pass is that collectives cut. What it did before, or does after, a wait of more than
/// half of it is left out: that may be the gradient's, or a sum's at the end.
TimelineSpan body_of(std::span<const TimelineSpan> runs) {
  TimelineSpan body = runs.front();
  body.end_s = runs.back().end_s;
  const double most_s = (body.end_s - body.begin_s) / 2;
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].begin_s - runs[i - 1].end_s <= most_s) continue;
    const bool is_behind = body.end_s - runs[i].begin_s > runs[i - 1].end_s - body.begin_s;
    (is_behind ? body.begin_s : body.end_s) = is_behind ? runs[i].begin_s : runs[i - 1].end_s;
    break;
  }
  return body;
}

/// Cells of one case, over one axis of time.
class Stack {
 public:
  Stack(double end_s, double top, std::string& svg)
      : scale_((kWidth - kLeft - kRight) / std::max(end_s, 1e-12)),
        end_s_(end_s),
        y_(top),
        svg_(svg) {}

  void add(const Timeline& timeline) {
    y_ += 30;
    write_text(10, y_, "title", timeline.title);
    y_ += 16;
    write_text(10, y_, "caption", timeline.caption);
    y_ += 8;
    for (const TimelineDevice& device : timeline.devices) add(device);
  }

  /// The axis; yields where the picture goes on.
  double end() {
    const double tick_s = tick();
    y_ += 2;
    put("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' class='axis'/>\n", kLeft, y_,
        kWidth - kRight, y_);
    for (int i = 0; i * tick_s <= end_s_ * (1 + 1e-9); ++i) {
      const double x = x_of(i * tick_s);
      put("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' class='axis'/>\n", x, y_,
          y_ + 4);
      write_text(x, y_ + 15, "tick", tick_text(i * tick_s));
    }
    return y_ + 24;
  }

 private:
  template <class... Values>
  void put(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Values>(values)...);
  }

  void write_text(double x, double y, const char* kind, const std::string& text) {
    put("<text x='{:.1f}' y='{:.1f}' class='{}'>{}</text>\n", x, y, kind, escaped(text));
  }

  double x_of(double time_s) const { return kLeft + time_s * scale_; }

  /// 1, 2 or 5 times a power of ten, about eight of them.
  double tick() const {
    const double wanted_s = std::max(end_s_, 1e-12) / 8;
    const double power = std::pow(10, std::floor(std::log10(wanted_s)));
    for (const double times : {1.0, 2.0, 5.0}) {
      if (times * power >= wanted_s * (1 - 1e-9)) return times * power;
    }
    return 10 * power;
  }

  void add(const TimelineDevice& device) {
    write_text(10, y_ + 14, "device", shortened(device.name));
    add_passes(device.lanes[0]);
    y_ += kCompute + 1;
    for (const TimelineSpan& span : device.lanes[1]) {
      draw(span, kThin, kFlight, 0.6);
    }
    y_ += kThin + 1;
    for (const TimelineSpan& span : device.lanes[2]) draw(span, kThin, kWait, 1);
    y_ += kThin + kDeviceGap;
  }

  /// Runs of one pass, which collectives cut, have one number and a pale ground.
  void add_passes(const std::vector<TimelineSpan>& runs) {
    std::set<std::int32_t> chunks;
    for (const TimelineSpan& run : runs) {
      if (run.chunk >= 0) chunks.insert(run.chunk);
    }
    for (std::size_t begin = 0, end = 0; begin < runs.size(); begin = end) {
      while (end < runs.size() && runs[end].name == runs[begin].name) ++end;
      const TimelineSpan pass = body_of({&runs[begin], end - begin});
      const auto before = std::distance(chunks.begin(), chunks.lower_bound(pass.chunk));
      const double opacity =
          1 - 0.5 * static_cast<double>(before) / static_cast<double>(chunks.size() + 1);
      if (end - begin > 1) draw(pass, kCompute, colour_of(pass.name), kGround * opacity);
      for (std::size_t i = begin; i < end; ++i)
        draw(runs[i], kCompute, colour_of(pass.name), opacity);
      write_micro_batch(pass);
    }
  }

  /// Long lists of devices that are alike would run into the picture; the tooltip has all.
  static std::string shortened(const std::string& name) {
    constexpr std::size_t kRoom = 18;
    return name.size() <= kRoom ? name : name.substr(0, name.rfind(',', kRoom - 2)) + ", ...";
  }

  void draw(const TimelineSpan& span, double height, const char* colour, double opacity) {
    put("<rect x='{:.2f}' y='{:.0f}' width='{:.2f}' height='{:.0f}' fill='{}' "
        "opacity='{:.2g}'><title>{}: {} to {}</title></rect>\n",
        x_of(span.begin_s), y_, (span.end_s - span.begin_s) * scale_, height, colour, opacity,
        escaped(span.name), format_seconds(span.begin_s), format_seconds(span.end_s));
  }

  void write_micro_batch(const TimelineSpan& span) {
    if (span.micro_batch < 0) return;
    const std::string number = std::to_string(span.micro_batch);
    const double room = (span.end_s - span.begin_s) * scale_;
    if (room < kRoomOfDigit * static_cast<double>(number.size()) + 3) return;
    write_text(x_of((span.begin_s + span.end_s) / 2), y_ + 14, "number", number);
  }

  double scale_, end_s_, y_;
  std::string& svg_;
};

void write_legend(std::string& svg) {
  double x = 10;
  const auto add = [&](const char* word, const char* colour) {
    fmt::format_to(std::back_inserter(svg),
                   "<rect x='{0:.0f}' y='8' width='12' height='12' fill='{1}'/>"
                   "<text x='{2:.0f}' y='18' class='caption'>{3}</text>\n",
                   x, colour, x + 17, word);
    x += 90;
  };
  for (const Kind& kind : kKinds) add(kind.word, kind.colour);
  add("in flight", kFlight);
  add("waits", kWait);
  fmt::format_to(std::back_inserter(svg),
                 "<text x='{:.0f}' y='18' class='caption'>lighter: later chunks</text>\n", x);
}

double end_of_case(const std::vector<Timeline>& timelines, std::int32_t index) {
  double end_s = 0;
  for (const Timeline& timeline : timelines) {
    if (timeline.case_index == index) end_s = std::max(end_s, timeline.end_s);
  }
  return end_s;
}

}  // namespace

std::string timeline_picture(const std::vector<Timeline>& timelines) {
  std::string body;
  write_legend(body);
  double bottom = 20;
  std::set<std::int32_t> cases;
  for (const Timeline& timeline : timelines) cases.insert(timeline.case_index);
  for (const std::int32_t index : cases) {
    Stack stack(end_of_case(timelines, index), bottom, body);
    for (const Timeline& timeline : timelines) {
      if (timeline.case_index == index) stack.add(timeline);
    }
    bottom = stack.end();
  }
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' "
             "viewBox='0 0 {0:.0f} {1:.0f}'>\n<style>text{{font:12px sans-serif;fill:#222}}"
             ".title{{font-weight:bold;font-size:13px}}.caption{{fill:#555}}.tick{{fill:#555;"
             "font-size:11px;text-anchor:middle}}.number{{fill:#fff;font-size:11px;text-anchor:"
             "middle}}.axis{{stroke:#888}}</style>\n<rect width='100%' height='100%' "
             "fill='#fff'/>\n",
             kWidth, bottom) +
         body + "</svg>\n";
}

}  // namespace rhino::report
