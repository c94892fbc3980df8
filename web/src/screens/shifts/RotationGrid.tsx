/** The rotation as a coloured grid: a row for each team, a column for each day of the cycle. */
import { type KeyboardEvent, useRef, useState } from 'react';
import { useTranslation } from '@/i18n';
import { colorOf, type ShiftTimes } from './rotation';

interface RotationGridProps {
  rotation: readonly (readonly number[])[];
  teams: readonly string[];
  shifts: readonly ShiftTimes[];
  /** Undefined where the pattern decides. */
  onChange?: (rotation: number[][]) => void;
}

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function RotationGrid({ rotation, teams, shifts, onChange }: RotationGridProps) {
  const { t } = useTranslation();
  const table = useRef<HTMLTableElement>(null);
  const [at, setAt] = useState<readonly [number, number]>([0, 0]);
  const known = new Map(shifts.map((shift) => [shift.shiftNo ?? 0, shift]));
  const numbers = [0, ...[...known.keys()].sort((a, b) => a - b)];
  const days = rotation[0]?.length ?? 0;

  const set = (team: number, day: number, number: number) =>
    onChange?.(
      rotation.map((row, place) => row.map((one, on) => (place === team && on === day ? number : one))),
    );
  const go = (team: number, day: number) => {
    if (team < 0 || team >= rotation.length || day < 0 || day >= days) return;
    setAt([team, day]);
    table.current?.querySelector<HTMLElement>(`[data-at="${team}-${day}"]`)?.focus();
  };
  const onKey = (event: KeyboardEvent, team: number, day: number) => {
    const step = STEPS[event.key];
    if (step) {
      event.preventDefault();
      go(team + step[0], day + step[1]);
    } else if (onChange && /^[0-8]$/.test(event.key) && numbers.includes(Number(event.key))) {
      event.preventDefault();
      set(team, day, Number(event.key));
      go(team, day + 1);
    }
  };

  return (
    <div className="x-scroll">
      <table className="x-rotation" ref={table}>
        <thead>
          <tr>
            <th />
            {Array.from({ length: days }, (_, day) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a day of the cycle is its place
              <th key={day} scope="col" title={t('shifts.form.day', { n: day + 1 })}>
                {day + 1}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rotation.map((row, team) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a team's row is at its place
            <tr key={team}>
              <th scope="row">{teams[team] || `#${team + 1}`}</th>
              {row.map((number, day) => {
                const shift = known.get(number);
                const name = shift?.shiftName || (number ? String(number) : t('shifts.form.rest'));
                const called = t('shifts.form.cell', { team: teams[team] ?? '', n: day + 1, shift: name });
                return (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a day of the cycle is its place
                  <td key={day}>
                    <button
                      type="button"
                      data-at={`${team}-${day}`}
                      className={number ? 'x-turn' : 'x-turn x-turn-rest'}
                      style={number ? { background: colorOf(number, shift?.color) } : undefined}
                      title={called}
                      aria-label={called}
                      aria-disabled={!onChange}
                      tabIndex={at[0] === team && at[1] === day ? 0 : -1}
                      onFocus={() => setAt([team, day])}
                      onKeyDown={(event) => onKey(event, team, day)}
                      onClick={() =>
                        set(team, day, numbers[(numbers.indexOf(number) + 1) % numbers.length] ?? 0)
                      }
                    >
                      {number ? name.slice(0, 1) : '·'}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
