/** Whole minutes as words: zero parts are left out, nothing at all is "0 minutes", unknown is "-". */

export interface DurationUnits {
  day: string;
  hour: string;
  minute: string;
  /** Between two parts. */
  gap: string;
}

/** `value` in minutes, rounded half-up; negative is a fault of the caller: shown as unknown and logged. */
export function durationWords(value: number | null | undefined, units: DurationUnits): string {
  if (value === null || value === undefined || Number.isNaN(value)) return '-';
  if (value < 0) {
    console.error(`negative duration: ${value} minutes`);
    return '-';
  }
  const total = Math.floor(value + 0.5);
  const parts: [number, string][] = [
    [Math.floor(total / 1440), units.day],
    [Math.floor((total % 1440) / 60), units.hour],
    [total % 60, units.minute],
  ];
  const shown = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count}${unit}`);
  return shown.length > 0 ? shown.join(units.gap) : `0${units.minute}`;
}

/** Seconds as a player shows them: 0:07, 1:00. */
export function clockTime(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
