"""When a check item will cross a limit, by the trend of its readings: pure functions of the standard library alone.

The method in short (docs/forecast.md says it at length): what weekday and hour of the day add is taken off; readings
become medians of days, or of a few days where there are many; the series is cut into straight pieces where it jumps or
bends, and only the last piece counts; its slope is the median of the slopes of all pairs (Theil and Sen), and how sure
it is follows from the order statistics of these slopes. Where that slope may as well be none, nothing is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from itertools import pairwise
from math import isfinite, log, sqrt
from statistics import NormalDist, fmean, median

HORIZON = 90
"""Days ahead that are looked at."""
BACK = 180
"""Days back that readings are taken of."""
LEAST_READINGS = 8
"""Days with a reading, or groups of days, that a trend needs."""
LEAST_SPAN = 14
"""Days from the first of them to the last."""
_MOST_GROUPS = 90
_LEAST_PIECE = 3
_PIECE_COST = 6.0
"""What another piece must explain, in squares of the noise and times the logarithm of the number of readings."""
_SURE = NormalDist().inv_cdf(0.9975)
"""A slope is one where it differs from none with 99.5 %, from both sides."""
_RANGE = NormalDist().inv_cdf(0.95)
"""The range of days holds the true one nine times of ten, if the trend goes on."""
_LEAST_CHANGE = 1.5
"""Of the noise of a day that the trend has moved so far."""
_FASTER = 2.0
"""Of the error by which the second half of a piece must be steeper than the first to stand for itself."""
_OUTLIER = 4.0
"""Of the noise beyond which a reading is an outlier when pieces are looked for."""
_SPREAD = 1.4826
"""The standard deviation of normal noise, as a multiple of its median absolute deviation."""
_HOURS = 4
"""Hours of the day that count as one time of it: two readings of a shift at about the same hour."""
_LEAST_OF_SEASON = 4


class LimitKind(StrEnum):
    """Which of the four limits of an item."""

    LOWER = "lower"
    WARN_LOWER = "warnLower"
    WARN_UPPER = "warnUpper"
    UPPER = "upper"


UPPER = (LimitKind.WARN_UPPER, LimitKind.UPPER)


class Reason(StrEnum):
    """Why there is no forecast."""

    NO_LIMIT = "noLimit"
    FEW = "few"
    """Too few readings, or none since the last change."""
    SHORT = "short"
    """They span too few days."""
    FLAT = "flat"
    """Nothing that is more than noise moves."""
    AWAY = "away"
    """It moves away from the limits there are."""
    CROSSED = "crossed"
    """The level is beyond the limit already."""
    FAR = "far"
    """It crosses beyond the horizon."""


@dataclass(frozen=True)
class Limit:
    """One of the limits of an item."""

    kind: LimitKind
    value: float


@dataclass(frozen=True)
class Forecast:
    """When the nearer limit is crossed if the trend goes on."""

    limit: Limit
    crosses_on: date
    earliest: date
    latest: date
    """The true day lies from `earliest` to `latest` nine times of ten."""
    slope_per_day: float
    readings: int
    """How many readings it is made from."""
    since: date
    """The first day of the trend: the last change before it is left out."""
    level: float
    """Where the trend stands on `as_of`, without what weekday and hour add."""
    as_of: date
    """The day of the last reading."""


@dataclass(frozen=True)
class Line:
    """A trend: its slope with the standard error, and its level with that at the day it is surest of."""

    slope: float
    slope_error: float
    pivot: float
    level: float
    level_error: float
    noise: float

    def at(self, day: float) -> float:
        """Return the level on a day."""
        return self.level + self.slope * (day - self.pivot)

    def error(self, day: float) -> float:
        """Return the standard error of the level on a day."""
        return sqrt(self.level_error**2 + ((day - self.pivot) * self.slope_error) ** 2)


def forecast(
    readings: Iterable[tuple[datetime, float]], limits: Mapping[LimitKind, float | None], horizon: int = HORIZON
) -> Forecast | Reason:
    """Return when an item crosses its nearer limit within `horizon` days of its last reading, or why nothing is said.

    Times are those of the plant's clock: weekday and hour are read off them. Values that are no numbers are left out.
    """
    known = [Limit(kind, value) for kind, value in limits.items() if value is not None]
    if not known:
        return Reason.NO_LIMIT
    rows = sorted((at, value) for at, value in readings if isfinite(value))
    if len(rows) < LEAST_READINGS:
        return Reason.FEW
    groups = grouped(rows)
    if len(groups) < LEAST_READINGS:
        return Reason.FEW
    last = quickened(last_piece(groups))
    if len(last) < LEAST_READINGS:
        return Reason.FEW
    if last[-1][0] - last[0][0] < LEAST_SPAN:
        return Reason.SHORT
    line = trend(last)
    today = float(rows[-1][0].date().toordinal())
    change = abs(line.slope) * (last[-1][0] - last[0][0])
    if abs(line.slope) <= _SURE * line.slope_error or change < _LEAST_CHANGE * line.noise:
        return Reason.FLAT
    found = _nearer(line, today, known)
    if isinstance(found, Reason):
        return found
    crossing = today + (found.value - line.at(today)) / line.slope
    if crossing > today + horizon:
        return Reason.FAR
    earliest, latest = _range(line, found.value, today, crossing)
    since = date.fromordinal(int(last[0][0]))
    return Forecast(
        limit=found, crosses_on=_day(crossing), earliest=_day(earliest), latest=_day(latest),
        slope_per_day=line.slope, readings=sum(at.date() >= since for at, _value in rows), since=since,
        level=line.at(today), as_of=rows[-1][0].date(),
    )  # fmt: skip


def _day(day: float) -> date:
    return date.fromordinal(round(min(day, date.max.toordinal())))


def _nearer(line: Line, today: float, known: Sequence[Limit]) -> Limit | Reason:
    """Return the next limit on the trend's way."""
    level, rises = line.at(today), line.slope > 0
    ways = [limit for limit in known if (limit.kind in UPPER) == rises]
    ahead = [limit for limit in ways if (limit.value > level) == rises and limit.value != level]
    if not ways:
        return Reason.AWAY
    if not ahead:
        return Reason.CROSSED
    return min(ahead, key=lambda limit: abs(limit.value - level))


def _range(line: Line, value: float, today: float, crossing: float) -> tuple[float, float]:
    """Return from when on the level may be at the limit, and until when it is for sure, for nine cases of ten.

    Both are where the band about the line meets the limit (Fieller): (level + slope·t − limit)² = z²·error(t)².
    """
    gap = value - line.level
    z2 = _RANGE**2
    a = line.slope**2 - z2 * line.slope_error**2
    b = line.slope * gap
    c = gap**2 - z2 * line.level_error**2
    root = sqrt(max(b * b - a * c, 0.0))
    found = sorted((line.pivot + (b - root) / a, line.pivot + (b + root) / a))
    return min(max(found[0], today), crossing), max(found[1], crossing)


# From readings to medians


def grouped(rows: Sequence[tuple[datetime, float]]) -> list[tuple[float, float]]:
    """Return the medians of days with their ordinals, of as many days together that there are not too many."""
    rows = without_season(rows)
    first, last = rows[0][0].date().toordinal(), rows[-1][0].date().toordinal()
    width = -(-(last - first + 1) // _MOST_GROUPS)
    found: dict[int, list[tuple[int, float]]] = {}
    for at, value in rows:
        day = at.date().toordinal()
        found.setdefault((day - first) // width, []).append((day, value))
    return [(fmean(day for day, _value in group), median(value for _day, value in group)) for group in found.values()]


def without_season(rows: Sequence[tuple[datetime, float]]) -> list[tuple[datetime, float]]:
    """Return the readings without what the hour of the day and the weekday add, where that is more than noise."""
    values = [value for _at, value in rows]
    for name in (_time_of_day, _weekday):
        marks = [name(at) for at, _value in rows]
        level = _levels([(at, value) for (at, _old), value in zip(rows, values, strict=True)])
        left = [
            (mark, value - level[at.date()])
            for mark, (at, _old), value in zip(marks, rows, values, strict=True)
            if at.date() in level
        ]
        added = _season(left)
        values = [value - added.get(mark, 0.0) for mark, value in zip(marks, values, strict=True)]
    return [(at, value) for (at, _old), value in zip(rows, values, strict=True)]


def _time_of_day(at: datetime) -> int:
    return at.hour // _HOURS


def _weekday(at: datetime) -> int:
    return at.weekday()


def _levels(rows: Sequence[tuple[datetime, float]]) -> dict[date, float]:
    """Return by day the level of the days about it, for those that have enough of them.

    It is the median of the day and of the means of each two days at the same distance: a trend does not move it.
    """
    days: dict[int, list[float]] = {}
    for at, value in rows:
        days.setdefault(at.date().toordinal(), []).append(value)
    daily = {day: median(values) for day, values in days.items()}
    found = {}
    for day, value in daily.items():
        pairs = [(daily.get(day - far), daily.get(day + far)) for far in (1, 2, 3)]
        means = [(early + late) / 2 for early, late in pairs if early is not None and late is not None]
        if len(means) > 1:
            found[date.fromordinal(day)] = median([value, *means])
    return found


def _season(left: Sequence[tuple[int, float]]) -> dict[int, float]:
    """Return by mark what it adds, drawn towards nothing by as much as it may be noise."""
    found: dict[int, list[float]] = {}
    for mark, value in left:
        found.setdefault(mark, []).append(value)
    often = {mark: values for mark, values in found.items() if len(values) >= _LEAST_OF_SEASON}
    if len(often) < 2:
        return {}
    middle = {mark: median(values) for mark, values in often.items()}
    mean = fmean(middle.values())
    spread = fmean((value - mean) ** 2 for value in middle.values())
    noise = fmean((_scatter(values) ** 2) * 1.57 / len(values) for values in often.values())
    keep = max(0.0, 1 - noise / spread) if spread > 0 else 0.0
    return {mark: keep * (value - mean) for mark, value in middle.items()}


def _scatter(values: Sequence[float]) -> float:
    middle = median(values)
    return _SPREAD * median(abs(value - middle) for value in values)


# The last piece


def last_piece(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the points after the last jump or bend: of all ways to cut the series into lines the cheapest one.

    A line costs the squares of what it leaves over, and each piece the same again; outliers are drawn in before.
    """
    number = len(points)
    noise = _noise([value for _day, value in points])
    if noise == 0 or number < 2 * _LEAST_PIECE:
        return list(points)
    days = [day - points[0][0] for day, _value in points]
    values = _tamed(points, noise)
    sums = [(0.0, 0.0, 0.0, 0.0, 0.0)]
    for day, value in zip(days, values, strict=True):
        x, y, xx, xy, yy = sums[-1]
        sums.append((x + day, y + value, xx + day * day, xy + day * value, yy + value * value))
    price = _PIECE_COST * noise**2 * log(number)
    best, begins = [-price, *[float("inf")] * number], [0] * (number + 1)
    for end in range(_LEAST_PIECE, number + 1):
        for begin in (0, *range(_LEAST_PIECE, end - _LEAST_PIECE + 1)):
            cost = best[begin] + price + _left_over(sums[begin], sums[end], end - begin)
            if cost < best[end]:
                best[end], begins[end] = cost, begin
    return list(points[begins[number] :])


def _left_over(before: Sequence[float], after: Sequence[float], number: int) -> float:
    """Return the sum of squares that the best line through some points leaves over."""
    x, y, xx, xy, yy = (late - early for early, late in zip(before, after, strict=True))
    sxx, sxy, syy = xx - x * x / number, xy - x * y / number, yy - y * y / number
    return max(syy - sxy * sxy / sxx, 0.0) if sxx > 0 else max(syy, 0.0)


def _noise(values: Sequence[float]) -> float:
    """Return the noise of a series whatever its trend: from what each value differs from the middle of its neighbours.

    Noise that goes on from day to day is seen over more days; the larger of both counts.
    """
    found = []
    for step in (1, 3):
        bends = [
            abs(values[place] - (values[place - step] + values[place + step]) / 2)
            for place in range(step, len(values) - step)
        ]
        if bends:
            found.append(_SPREAD * median(bends) / sqrt(1.5))
    return max(found, default=0.0)


def _tamed(points: Sequence[tuple[float, float]], noise: float) -> list[float]:
    """Return the values, those that lie far off where their neighbours point drawn in to the bound.

    Neighbours of either side point there by themselves, so that neither a trend nor a jump is drawn in.
    """
    values = [value for _day, value in points]
    found = []
    for place, value in enumerate(values):
        sides = values[max(place - 3, 0) : place][::-1], values[place + 1 : place + 4]
        told = [value]
        for side in sides:
            if len(side) == 3:
                told += [2 * side[0] - side[1], 3 * side[1] - 2 * side[2]]
        middle = median(told)
        found.append(min(max(value, middle - _OUTLIER * noise), middle + _OUTLIER * noise))
    return found


def quickened(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the last half of a piece that has become faster in it, and of that again; else the piece.

    Wear often goes ever faster: a line through all of it would be late.
    """
    found = list(points)
    while len(found) >= 2 * LEAST_READINGS:
        middle = len(found) // 2
        before, after = trend(found[:middle]), trend(found[middle:])
        more = abs(after.slope) - abs(before.slope)
        error = sqrt(before.slope_error**2 + after.slope_error**2)
        if more <= _FASTER * error or found[-1][0] - found[middle][0] < LEAST_SPAN:
            break
        found = found[middle:]
    return found


# The trend


def trend(points: Sequence[tuple[float, float]]) -> Line:
    """Return the line of Theil and Sen through points of different days, and how sure it is.

    The slope's error comes from the order statistics of the slopes of all pairs (Sen 1968), widened by as much as what
    is left over goes on from one point to the next.
    """
    number = len(points)
    slopes = sorted(
        (value - early) / (day - first) for place, (day, value) in enumerate(points) for first, early in points[:place]
    )
    slope = median(slopes)
    left = [value - slope * day for day, value in points]
    base = median(left)
    left = [value - base for value in left]
    noise = _scatter(left)
    wider = _persistence(left, noise)
    half = _RANGE * sqrt(number * (number - 1) * (2 * number + 5) / 18)
    low = slopes[max(round((len(slopes) - half) / 2), 0)]
    high = slopes[min(round((len(slopes) + half) / 2), len(slopes) - 1)]
    pivot = fmean(day for day, _value in points)
    return Line(
        slope=slope, slope_error=max((high - low) / 2 / _RANGE, 1e-12) * wider, pivot=pivot, level=base + slope * pivot,
        level_error=noise * sqrt(1.57 / number) * wider, noise=noise,
    )  # fmt: skip


def _persistence(left: Sequence[float], noise: float) -> float:
    """Return by what standard errors grow because what is left over goes on from one point to the next."""
    if noise == 0:
        return 1.0
    tame = [min(max(value, -3 * noise), 3 * noise) for value in left]
    square = sum(value * value for value in tame)
    if square == 0:
        return 1.0
    share = sum(one * other for one, other in pairwise(tame)) / square
    # A short series shows less of it than there is.
    share = min(max(share + (1 + 3 * share) / len(left), 0.0), 0.8)
    return sqrt((1 + share) / (1 - share))


def late(found: Forecast, as_of: date) -> Forecast:
    """Return the forecast as it stands on a later day: what it expected before does not lie in the past."""
    return replace(
        found,
        crosses_on=max(found.crosses_on, as_of),
        earliest=max(found.earliest, as_of),
        latest=max(found.latest, as_of),
    )


def recent(readings: Iterable[tuple[datetime, float]], most: int = 40) -> list[tuple[date, float]]:
    """Return the medians of the last days with a reading, for a small picture of the trend."""
    days: dict[date, list[float]] = {}
    for at, value in readings:
        days.setdefault(at.date(), []).append(value)
    return [(day, median(days[day])) for day in sorted(days)[-most:]]
