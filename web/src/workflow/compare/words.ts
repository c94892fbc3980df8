/** Elements, properties and values of a drawing in words of the person's language. */
import { useMemo } from 'react';
import { useLanguage, useTranslation } from '@/i18n';
import { compare } from '@/i18n/zh-CN/compare';
import type { Change, Difference } from './diff';
import type { Property, Segment } from './property';
import type { Drawing } from './read';

/** Attributes of ours that a model sets to `no` or not at all. */
const SWITCHES: ReadonlySet<string> = new Set(['sendBack', 'takeBack', 'withdraw']);

const { element: ELEMENTS, property: PROPERTIES } = compare;

const knows = <Words extends object>(words: Words, key: string): key is Extract<keyof Words, string> =>
  Object.hasOwn(words, key);

export interface Words {
  /** What kind of element it is. */
  type: (type: string) => string;
  /** How an element is called; a flow without a name by what it joins. */
  name: (id: string) => string;
  property: (change: Change) => string;
  /** One side of a change; empty when there was nothing. */
  value: (property: Property | undefined) => string;
  /** A difference in one line, for whoever hears it. */
  line: (difference: Difference) => string;
}

/** `drawings` are asked for names in their order. */
export function useWords(...drawings: readonly Drawing[]): Words {
  const { t } = useTranslation();
  const language = useLanguage();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawings are the list's members
  return useMemo(() => {
    const type = (key: string) => (knows(ELEMENTS, key) ? t(`compare.element.${key}`) : key);
    const name = (id: string): string => {
      const part = drawings.map((drawing) => drawing.get(id)).find(Boolean);
      if (!part) return id;
      const own = (language === 'en-US' && part.nameEn) || part.name;
      if (own) return own;
      if (part.source && part.target)
        return t('compare.flow', { from: name(part.source), to: name(part.target) });
      return type(part.type);
    };
    const segment = ({ key, name: which }: Segment) => {
      const word = knows(PROPERTIES, key) ? t(`compare.property.${key}`) : key;
      return which === undefined ? word : t('compare.which', { word, name: which });
    };
    const value = (property: Property | undefined) => {
      if (!property) return '';
      const { kind, value: text, path } = property;
      if (SWITCHES.has(path.at(-1)?.key ?? '') && text === 'no') return t('kit.no');
      if (kind === 'flag') return t(text === 'true' ? 'kit.yes' : 'kit.no');
      if (kind === 'whole') return text || t('compare.there');
      if (kind === 'parts') return text.split(',').filter(Boolean).map(name).join(t('compare.gap'));
      if (path.at(-1)?.key === 'time' && text === 'working') return t('compare.working');
      return path.length === 1 && path[0]?.key === 'type' ? type(text) : text;
    };
    return {
      type,
      name,
      value,
      property: ({ path }) => path.map(segment).join(' › '),
      line: ({ kind, part }) =>
        `${t(`compare.kind.${kind}`)} ${t('compare.which', { word: type(part.type), name: name(part.id) })}`,
    };
  }, [t, language, ...drawings]);
}
