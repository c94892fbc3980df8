/** The filters of a noun's list, chosen by the kinds that the document gives them. */
import type { Params } from '@/api/calls';
import type { Noun } from '@/api/noun';
import { useLanguage, useTranslation } from '@/i18n';
import type { Filter } from './filters';
import { labelIn, useLabels } from './nounText';
import { type PlainFilter, sourceOf } from './references';

/** A filter by its name, or one made by hand. */
export type FilterEntry<N extends Noun> = PlainFilter<N> | Filter;

export function useFilters<N extends Noun>(
  noun: N,
  entries: readonly FilterEntry<N>[],
  fixed?: Params,
): Filter[] {
  const language = useLanguage();
  const { t } = useTranslation();
  const label = useLabels(noun);
  return entries.flatMap((entry): Filter | [] => {
    if (typeof entry !== 'string') return entry;
    const field = noun.fields[entry];
    if (field?.halfDays) {
      const { is, first, last } = field.halfDays;
      // What touches these days: it ends after the first of them and begins before the last is over.
      const bounds = [`${last}_dategt`, `${first}_datelt`] as const;
      return is === 'first' ? { kind: 'dates', name: 'during', label: t('kit.period.during'), bounds } : [];
    }
    const common = { name: entry, label: label(entry) };
    if (field?.options) {
      const options = field.options.map(([key, zh, en]) => ({
        value: String(key),
        label: labelIn(language, [zh, en]),
      }));
      return { ...common, kind: 'select', options };
    }
    if (field?.dict) return { ...common, kind: 'dict', dict: field.dict };
    switch (noun.filters[entry]) {
      case 'flag': {
        const options = [
          { value: '1', label: t('kit.yes') },
          { value: '0', label: t('kit.no') },
        ];
        return { ...common, kind: 'select', options };
      }
      case 'moment':
        return { ...common, kind: 'dates' };
      case 'date':
        return { ...common, kind: 'dates', plain: true };
      case 'decimal':
        return { ...common, kind: 'numbers', decimals: field?.decimals ?? 2 };
      case 'code':
        // Compared whole by the server; who types means what it begins or ends with too.
        return { ...common, name: `${entry}_like`, kind: 'text' };
      case 'id': {
        const source = sourceOf(noun, entry, fixed);
        return source ? { ...common, kind: 'reference', source } : { ...common, kind: 'text' };
      }
      default:
        return { ...common, kind: 'text' };
    }
  });
}
