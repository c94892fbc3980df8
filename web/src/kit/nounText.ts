/** How a noun's fields are called and what their values look like. */
import type { Noun, NounField } from '@/api/noun';
import { t, useLanguage } from '@/i18n';
import type { Language } from '@/site';

/** The label in the person's language. */
export function labelIn(language: Language, label: readonly [string, string]): string {
  return label[language === 'zh-CN' ? 0 : 1];
}

/** Labels of a noun's fields. */
export function useLabels(noun: Noun): (name: string) => string {
  const language = useLanguage();
  return (name) => labelIn(language, noun.fields[name]?.label ?? [name, name]);
}

/** Where a value has a name of its own, `category` is shown as `categoryName`. */
export function shownName(noun: Noun, name: string): string {
  const plain = name.endsWith('Id') ? name.slice(0, -2) : name;
  return [`${name}Name`, `${plain}Name`].find((other) => noun.fields[other]) ?? name;
}

function holdsNothing(value: unknown): boolean {
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}

/** A value as people read it; a dash where there is nothing. */
export function shownText(field: NounField | undefined, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (field?.kind === 'flag') return t(value === 1 || value === true ? 'kit.yes' : 'kit.no');
  if (field?.kind === 'moment') return String(value).slice(0, 16);
  if (field?.kind === 'integer' && typeof value === 'number') return value.toLocaleString();
  if (field?.kind === 'json') return holdsNothing(value) ? '-' : JSON.stringify(value);
  return String(value);
}

/** A noun's title within a sentence: English begins it small, but for abbreviations. */
export function inSentence(title: string): string {
  return /^[A-Z](?![A-Z])/.test(title) ? title.charAt(0).toLowerCase() + title.slice(1) : title;
}
