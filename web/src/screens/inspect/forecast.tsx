/** What a forecast of a limit says, in a sentence and in a mark. */
import dayjs from 'dayjs';
import { useLanguage, useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';
import { exact } from '@/lib/money';

export const KINDS = { 1: 'lower', 2: 'warnLower', 3: 'warnUpper', 4: 'upper' } as const;
export type LimitKind = (typeof KINDS)[keyof typeof KINDS];

interface Said {
  limitKind: string;
  limitValue: number;
  crossesOn: string;
  earliest: string;
  latest: string;
  decimals: number;
  unit: string;
}

/** Warnings are told apart from limits by tone too. */
export const toneOf = (kind: string) => (kind.startsWith('warn') ? 'waiting' : 'bad');

/** Returns how forecasts are said: days short where they are of this year or the next months. */
export function useForecastWords() {
  const { t } = useTranslation();
  const language = useLanguage();
  const day = (text: string) => {
    const at = dayjs(text);
    const isFar = Math.abs(at.diff(dayjs(), 'day')) > 300;
    return at.format(t(isFar ? 'rounds.forecast.format.far' : 'rounds.forecast.format.day'));
  };
  const span = (earliest: string, latest: string) => {
    if (earliest === latest) return day(earliest);
    if (earliest.slice(0, 7) !== latest.slice(0, 7)) return `${day(earliest)} – ${day(latest)}`;
    // The month is said once.
    const [first, last] = [dayjs(earliest), dayjs(latest)];
    return `${first.format(t('rounds.forecast.format.first'))}–${last.format(t('rounds.forecast.format.last'))}`;
  };
  const limit = (kind: string, value: number, decimals: number, unit: string) =>
    t('rounds.forecast.limit', {
      name: t(`rounds.trend.limits.${kind as LimitKind}`),
      value: `${exact(value, decimals)}${unit && /^[A-Za-z]/.test(unit) ? ` ${unit}` : unit}`,
    });
  const sentence = (said: Said) => {
    const text = limit(said.limitKind, said.limitValue, said.decimals, said.unit);
    return t('rounds.forecast.sentence', {
      limit: language === 'en-US' ? text.charAt(0).toLowerCase() + text.slice(1) : text,
      day: day(said.crossesOn),
      range: span(said.earliest, said.latest),
    });
  };
  return { day, span, limit, sentence };
}

/** A mark at an item that will cross a limit, in a few words; the whole sentence where one points at it. */
export function ForecastMark({
  forecast,
  decimals,
  unit,
}: {
  forecast: Omit<Said, 'decimals' | 'unit'> | null;
  decimals: number;
  unit: string;
}) {
  const { t } = useTranslation();
  const words = useForecastWords();
  if (!forecast) return null;
  return (
    <span title={words.sentence({ ...forecast, decimals, unit })}>
      <ToneTag tone={toneOf(forecast.limitKind)}>
        {t('rounds.forecast.mark', {
          name: t(`rounds.trend.limits.${forecast.limitKind as LimitKind}`),
          day: words.day(forecast.crossesOn),
        })}
      </ToneTag>
    </span>
  );
}
