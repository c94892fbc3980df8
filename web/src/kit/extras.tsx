/** Extra fields, which a company has added to a noun: each is described as a field of the noun, and treated as one. */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';
import type { Noun, NounField } from '@/api/noun';
import { declaredParts } from '@/api/nounCalls';
import type { Wire } from '@/api/wire';
import type { Language } from '@/site';
import type { Fact } from './Facts';
import type { Filter } from './filters';
import { useFilters } from './nounFilters';
import { labelIn, shownText } from './nounText';
import type { Column } from './ResourceList';

type Declared = Wire<'DeclaredField'>;

const [TEXT, NUMBER, DATE, SELECT] = [1, 2, 3, 4];
const MOST_TEXT = 200;
const KINDS: Readonly<Record<number, NounField['kind']>> = {
  [TEXT]: 'text',
  [NUMBER]: 'decimal',
  [DATE]: 'date',
  [SELECT]: 'choice',
};

/** A field by `ext.<key>`, as lists are asked for it. */
export type ExtraFields = Readonly<Record<string, NounField>>;

function fieldOf(one: Declared): NounField {
  const options = one.options.map(({ value, label, labelEn }) => [value, label, labelEn || label] as const);
  return {
    label: [one.label, one.labelEn || one.label],
    kind: KINDS[one.type] ?? 'text',
    sortable: true,
    // What is sealed is shown, and not asked for.
    writable: one.isSealed === 0,
    required: one.required === 1,
    ...(one.type === TEXT && { max: MOST_TEXT }),
    ...(one.type === NUMBER && { decimals: one.decimals }),
    ...(one.type === SELECT && { options }),
  };
}

/** The name and the address of the field that holds the values. */
function holderOf({ fields }: Pick<Noun, 'fields'>): [name: string, address: string] | undefined {
  const found = Object.entries(fields).find(([, { kind, parts }]) => kind === 'extras' && parts);
  return found && [found[0], found[1].parts ?? ''];
}

const NONE: ExtraFields = {};

/** The extra fields of a noun, or of the input of a form; none while they are not known. Asked once in five minutes. */
export function useExtras(about: Pick<Noun, 'fields'>): {
  name: string;
  fields: ExtraFields;
  arrived: boolean;
} {
  const [name, address] = holderOf(about) ?? ['', ''];
  const { data, failureCount, fetchStatus } = useQuery({
    queryKey: ['extfield', 'declared', address],
    queryFn: ({ signal }) => declaredParts(address, signal),
    enabled: address !== '',
    staleTime: 300_000,
  });
  const fields = useMemo(
    () => (data ? Object.fromEntries(data.map((one) => [`${name}.${one.key}`, fieldOf(one)])) : NONE),
    [data, name],
  );
  // A form does not wait for what cannot be had now, and does not go again while that is tried anew.
  const arrived = useRef(false);
  arrived.current ||= address === '' || data !== undefined || failureCount > 0 || fetchStatus === 'paused';
  return { name, fields, arrived: arrived.current };
}

const keyOf = (part: string) => part.slice(part.indexOf('.') + 1);

/** The value that a row has of an extra field. */
function partOf(row: object, part: string): unknown {
  const [name = ''] = part.split('.');
  return (row as Record<string, Record<string, unknown> | undefined>)[name]?.[keyOf(part)];
}

/** A value as people read it. */
export function extraText(field: NounField | undefined, value: unknown, language: Language): string {
  const option = field?.options?.find(([key]) => key === value);
  return option ? labelIn(language, [option[1], option[2]]) : shownText(field, value);
}

/** Values with those of the extra fields beside the others, by `ext.<key>`. */
export function withParts(values: Readonly<Record<string, unknown>>, fields: ExtraFields) {
  const parts = Object.keys(fields);
  const holder = parts[0]?.split('.')[0];
  const own = Object.entries(values).filter(([name]) => name !== holder);
  return Object.fromEntries([...own, ...parts.map((part) => [part, partOf(values, part)])]);
}

/** The same back: the parts in their object. */
export function fromParts(values: Readonly<Record<string, unknown>>, fields: ExtraFields) {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(values)) {
    if (!fields[name]) {
      found[name] = value;
      continue;
    }
    const [holder = ''] = name.split('.');
    found[holder] = { ...(found[holder] as object | undefined), [keyOf(name)]: value };
  }
  return found;
}

/** What a row has of them; with `all` also what it has not, but may be asked. */
export function extraFacts(fields: ExtraFields, row: object, language: Language, all = false): Fact[] {
  return Object.entries(fields)
    .map(([part, field]) => ({ field, value: partOf(row, part) }))
    .filter(({ field, value }) => (value !== undefined && value !== null) || (all && field.writable))
    .map(({ field, value }) => ({
      label: labelIn(language, field.label),
      value: extraText(field, value, language),
    }));
}

const WIDTHS: Partial<Record<NounField['kind'], number>> = { decimal: 110, date: 120, choice: 120 };

/** Columns that one may switch on. */
export function extraColumns<Row extends object>(fields: ExtraFields, language: Language): Column<Row>[] {
  return Object.entries(fields).map(([part, field]) => ({
    key: part as Column<Row>['key'],
    title: labelIn(language, field.label),
    width: WIDTHS[field.kind] ?? 160,
    sortable: true,
    nowrap: field.kind !== 'text',
    align: field.kind === 'decimal' ? 'end' : undefined,
    extra: true,
    render: (row) => extraText(field, partOf(row, part), language),
  }));
}

/** Whether a list may be asked for: one whose address filters by such a field waits until it is known. */
export function useExtrasReady({ arrived, name }: ReturnType<typeof useExtras>): boolean {
  const [params] = useSearchParams();
  return arrived || ![...params.keys()].some((key) => key.startsWith(`${name}.`));
}

/** The filters of a list for them. */
export function useExtraFilters(noun: Noun, fields: ExtraFields): Filter[] {
  const filters = Object.fromEntries(Object.entries(fields).map(([part, { kind }]) => [part, kind]));
  const about = { ...noun, fields, filters } as Noun;
  return useFilters(about, Object.keys(fields) as never[]).map((one) =>
    one.kind === 'select' ? { ...one, multiple: true } : one,
  );
}
