/** The limits of a number as a scale: red, amber, green, amber, red, each with its word; read out as sentences. */
import { CheckOutlined, CloseOutlined, WarningOutlined } from '@ant-design/icons';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n';
import './standards.css';
import { ABNORMAL, type Limits, limitText, NORMAL, RESULT_TEXT, WARNING, type Zone, zonesOf } from './items';

const TONES = { [NORMAL]: 'good', [WARNING]: 'waiting', [ABNORMAL]: 'bad' } as const;
const SIGNS: Record<Zone['result'], ReactNode> = {
  [NORMAL]: <CheckOutlined />,
  [WARNING]: <WarningOutlined />,
  [ABNORMAL]: <CloseOutlined />,
};

/** Least share of the scale that a zone is drawn with. */
const LEAST = 0.18;

/** How wide the zones are beside each other: like the numbers, as far as each stays legible. */
function shares(zones: readonly Zone[]): number[] {
  const closed = zones.map(({ from, to }) => (from !== null && to !== null ? to - from : 0));
  const span = closed.reduce((sum, part) => sum + part, 0) || 1;
  // Where what is normal has no end at one side, it is most of the scale.
  const isOpen = zones.some(({ result, from, to }) => result === NORMAL && (from === null || to === null));
  return zones.map(({ result, from, to }, place) => {
    if (from === null || to === null) return result === NORMAL ? 1.2 : LEAST;
    return Math.max(((closed[place] ?? 0) / span) * (isOpen ? 0.5 : 1), LEAST);
  });
}

function words(zone: Zone, decimals: number, unit: string, t: TFunction): string {
  const at = (value: number) => `${limitText(value, decimals)}${unit && ` ${unit}`}`;
  const name = t(RESULT_TEXT[zone.result]);
  // What lies on a limit still belongs to the better side.
  if (zone.from === null && zone.to === null) return name;
  if (zone.from === null)
    return t(zone.result === NORMAL ? 'inspect.scale.upTo' : 'inspect.scale.below', {
      name,
      to: at(zone.to ?? 0),
    });
  if (zone.to === null)
    return t(zone.result === NORMAL ? 'inspect.scale.from' : 'inspect.scale.above', {
      name,
      from: at(zone.from),
    });
  return t('inspect.scale.between', { name, from: at(zone.from), to: at(zone.to) });
}

interface LimitScaleProps {
  of: Limits & { decimals: number; unit?: string };
  /** In a line of a list: without words. */
  small?: boolean;
}

export function LimitScale({ of, small }: LimitScaleProps) {
  const { t } = useTranslation();
  const { decimals, unit = '' } = of;
  const zones = zonesOf(of);
  if (zones.length === 0) return null;
  const said = zones.map((zone) => words(zone, decimals, unit, t)).join(t('inspect.scale.comma'));
  const widths = shares(zones);
  return (
    <div className={small ? 'x-scale x-scale-small' : 'x-scale'} role="img" aria-label={said} title={said}>
      {zones.map((zone, place) => (
        <div
          key={`${zone.from}–${zone.to}`}
          className={`x-scale-zone x-scale-${TONES[zone.result]}`}
          style={{ flexGrow: widths[place] }}
        >
          <span className="x-scale-bar">
            {SIGNS[zone.result]}
            {!small && <span className="x-scale-word">{t(RESULT_TEXT[zone.result])}</span>}
          </span>
          {zone.to !== null && place < zones.length - 1 && (
            <span className="x-scale-tick">{limitText(zone.to, decimals)}</span>
          )}
        </div>
      ))}
    </div>
  );
}
