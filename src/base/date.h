// SPDX-License-Identifier: Apache-2.0
//
// Dates of ISO 8601-1 in extended format (proleptic Gregorian calendar), as bytes that compare as
// points in time do: year, month, day, hour and minute, second, fraction, each of which may end the
// date (a partial date). A time with a zone is kept in UTC; one without a zone is kept as local and
// sorts after the same in UTC.
//
//   2024   2024-05   2024-05-17   2024-05-17T08:30   2024-05-17T08:30:00.25+02:00   -0044-03-15
//
// Layout: year plus 0x80000000 (4 bytes, big-endian), then as far as given month, day, hour,
// minute, second (one byte each, plus 1), fraction digits (pairs as in base/decimal.h, at most 9
// digits, trailing zeros dropped); where there is a time, the zone last: 0x00 then 0x01 UTC or 0x02
// local. A date is before its continuations: 2024 < 2024-01 < 2024-01-01 < 2024-01-01T00:00Z.
#pragma once

#include <string>
#include <string_view>

#include "loci/result.h"

namespace loci {

// Years -999999 to 999999 (four digits at least, leading zeros only among four). A zone is Z, +02
// or +02:00. Second 60 is accepted where leap seconds fall: 23:59 UTC, or the last of a local
// quarter hour. Week and ordinal dates, 24:00 and a zone without a time are refused with the form
// that would be accepted.
Result<std::string> DateFromText(std::string_view text);

// DateFromText gives the same bytes back. Empty for what is not a date.
std::string DateToText(std::string_view bytes);

bool IsDate(std::string_view bytes);

}  // namespace loci
