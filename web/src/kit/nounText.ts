/** How a noun's fields are called and what their values look like. */
import type { ColumnKey, HalfDays, Noun, NounField } from '@/api/noun';
import { t, useLanguage } from '@/i18n';
import { firstHalf, lastHalf } from '@/lib/halfDays';
import { exact, yuan } from '@/lib/money';
import type { Language } from '@/site';

/** The label in the person's language. */
export function labelIn(language: Language, label: readonly [string, string]): string {
  return label[language === 'zh-CN' ? 0 : 1];
}

/** Labels of a noun's fields. */
export function useLabels(noun: Pick<Noun, 'fields'>): (name: string) => string {
  const language = useLanguage();
  return (name) => labelIn(language, noun.fields[name]?.label ?? [name, name]);
}

/** Where a value has a name of its own, `category` is shown as `categoryName`. */
export function shownName(noun: Pick<Noun, 'fields'>, name: string): string {
  const refers = name.endsWith('Id') && noun.fields[name]?.kind !== 'text';
  const plain = refers ? name.slice(0, -2) : name;
  return [`${name}Name`, `${plain}Name`].find((other) => noun.fields[other]) ?? name;
}

/** The field that names a row: the name in the reader's language, what people type as its name, or what it belongs to. */
export function nameField<N extends Noun>(noun: N): ColumnKey<N> {
  const typed = Object.entries(noun.fields).filter(([, field]) => field.kind === 'text' && field.writable);
  const owner = Object.entries(noun.fields).find(
    ([name, field]) => field.ref && shownName(noun, name) !== name,
  );
  const named =
    typed.find(([name]) => /(^n|N)ame$|^title$/.test(name)) ??
    typed.find(([, field]) => field.required) ??
    (owner && [shownName(noun, owner[0])]) ??
    typed[0];
  return (noun.fields.title ? 'title' : (named?.[0] ?? 'id')) as ColumnKey<N>;
}

function holdsNothing(value: unknown): boolean {
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}

/** The half day that a moment begins or ends. */
function halfDay({ is }: HalfDays, value: string): string {
  const half = is === 'last' ? lastHalf(value) : firstHalf(value);
  return half
    ? `${half.day.format('YYYY-MM-DD')} ${t(half.half ? 'kit.period.afternoon' : 'kit.period.morning')}`
    : '-';
}

/** A value as people read it; a dash where there is nothing. */
export function shownText(field: NounField | undefined, value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (field?.kind === 'flag') return t(value === 1 || value === true ? 'kit.yes' : 'kit.no');
  if (field?.kind === 'moment')
    return field.halfDays ? halfDay(field.halfDays, String(value)) : String(value).slice(0, 16);
  if (field?.kind === 'integer' && typeof value === 'number') return value.toLocaleString();
  if (field?.unit === '¥') return yuan(Number(value));
  // One place, as of half days, is left out where it is 0.
  if (field?.kind === 'decimal' && field.decimals && field.decimals > 1)
    return exact(Number(value), field.decimals);
  if (field?.kind === 'decimal' && Number.isFinite(Number(value))) return Number(value).toLocaleString();
  if (field?.kind === 'json') return holdsNothing(value) ? '-' : JSON.stringify(value);
  return String(value);
}
