// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "store/record.hpp"

/// What the tables of models and of communications have in common.
namespace rhino::report {

using Row = std::vector<std::string>;

/// Columns padded to their widest entry: the first left, the others right.
std::string aligned(const std::vector<Row>& rows);

/// What the record says of its cell; empty: it lacks that.
std::string setting(const store::Record& record, const std::string& key);
/// Median and the half width of its interval, where there is one: `45.6 ms +-1.2%`. What a
/// simulation takes has none, and three digits: `6.98 s`.
std::string interval(const store::Record& record);
/// `6.98 s`: three digits.
std::string short_seconds(double seconds);
/// How far the prediction is off what was measured: `+2.4%`.
std::string prediction_text(const store::Record& record);
std::string check_text(const store::Record& record);
std::string status_text(const store::Record& record);

/// Of all records, in order.
std::vector<std::string> baseline_names(const std::vector<store::Record>& records);
std::string ratio_text(const store::Record& record, const std::string& name);

/// Of values, at least one: the upper one of the two in the middle.
double middle(std::vector<double> values);

/// Why there is no figure in the row of that name; empty for records that are ok.
std::string failure_line(const std::string& name, const store::Record& record);
/// How much slower or quicker the machine was in the rounds of these cells than when it was
/// calibrated for their predictions, by the products of its probes: of the median cell, where it is
/// 5 % or more; else empty.
std::string machine_line(const std::vector<store::Record>& records);

}  // namespace rhino::report
