/** Round numbers for the lines of a chart. */

/** The fewest round steps, about `count` of them, that hold all from `low` to `high`: 1870 to 2011 gives 1850, 1900, … 2050. */
export function steps(low: number, high: number, count: number): number[] {
  const span = high > low ? high - low : Math.max(Math.abs(high), 1);
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(low / step);
  const last = Math.max(Math.ceil(high / step), first + 1);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}
