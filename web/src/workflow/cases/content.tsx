/** What a record's page shows of its fields: facts, and what takes the whole width. */
import { Fragment, type ReactNode } from 'react';
import type { Case } from '@/api/case';
import type { Both, Kind } from '@/api/noun';
import type { Wire } from '@/api/wire';
import { type Fact, Facts } from '@/kit/Facts';
import { Files } from '@/kit/Files';
import { labelIn } from '@/kit/nounText';
import { shownValue } from '@/kit/nounValue';
import { Photos } from '@/kit/Photos';
import { Voice } from '@/kit/Voice';
import type { Language } from '@/site';
import type { CaseProps, Open, Row } from './screen';

interface Shown extends CaseProps {
  row: Row;
  open: Open;
  language: Language;
  /** What the record has of its extra fields. */
  extras?: readonly Fact[];
}

/** Fields that stand in the body and not among the facts. */
export function isLong(of: Case, name: string): boolean {
  const { kind = '', max = 0 } = of.fields[name] ?? {};
  return ['images', 'files', 'voice', 'longtext'].includes(kind) || (kind === 'text' && max > 200);
}

/** Nothing to show; an amount of money that is 0 is nothing too. */
function isEmpty(of: Case, name: string, value: unknown): boolean {
  if (value === 0) return of.fields[name]?.unit !== undefined;
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}

/** The value of one field; nothing where it is empty, null where the screen leaves it out. */
function contentOf({ of, screen, row, open }: Shown, name: string): ReactNode {
  const own = screen.values?.[name];
  if (own) return own(row, open);
  const value = row[name];
  if (isEmpty(of, name, value)) return undefined;
  const kind = of.fields[name]?.kind;
  if (kind === 'files') return <Files files={value as Wire<'ShownFile'>[]} />;
  if (kind === 'voice') {
    const { link, seconds } = value as Wire<'ShownFile'>;
    return <Voice link={link} seconds={seconds} />;
  }
  if (kind === 'images') return <Photos links={value as string[]} />;
  if (isLong(of, name)) return <p className="x-text">{String(value)}</p>;
  return shownValue(of, name, row);
}

/** Whether there is anything to show; a screen's own value may be an empty text. */
const isSaid = (value: ReactNode) => value !== undefined && value !== null && value !== false && value !== '';

/** One fact of several fields; undefined where none of them says anything. */
function factOf(about: Shown, names: readonly string[]): Fact | undefined {
  const [first = ''] = names;
  const values = names.map((name) => ({ name, value: contentOf(about, name) }));
  const said = values.filter(({ value }) => isSaid(value));
  if (values[0]?.value === null || said.length === 0) return undefined;
  const [head, ...below] = said;
  return {
    label: labelIn(about.language, about.of.fields[first]?.label ?? [first, first]),
    value: (
      <>
        {head?.value}
        {below.map(({ name, value }) => (
          <div key={name} className="x-quiet">
            {value}
          </div>
        ))}
      </>
    ),
  };
}

/** The facts that are known. */
export function factsOf(about: Shown, fields: Case['document']): Fact[] {
  return fields
    .filter(([name = '']) => !isLong(about.of, name))
    .flatMap(([name = '', ...rest]) =>
      about.of.fields[name]?.kind === 'extras' ? [...(about.extras ?? [])] : factOf(about, [name, ...rest]),
    )
    .filter((fact) => fact !== undefined);
}

interface Part {
  title: Both;
  fields: Case['document'];
}

/** The parts that have something to show. */
export function partsOf(about: Shown, parts: readonly Part[]): { title: Both; content: Item[] }[] {
  return parts
    .map(({ title, fields }) => ({ title, content: itemsOf(about, fields) }))
    .filter(({ content }) => content.length > 0);
}

type Item = { name: string; block: ReactNode } | { name: string; facts: Fact[] };

/** Kinds that take the whole width beside what is long. */
const BLOCKS: readonly (Kind | undefined)[] = ['json', 'details'];

/** In their order: what takes the whole width, and facts side by side between. */
function itemsOf(about: Shown, fields: Case['document']): Item[] {
  const items: Item[] = [];
  for (const names of fields) {
    const [name = ''] = names;
    if (isLong(about.of, name) || BLOCKS.includes(about.of.fields[name]?.kind)) {
      const block = contentOf(about, name);
      if (isSaid(block)) items.push({ name, block });
      continue;
    }
    const fact = factOf(about, names);
    const last = items.at(-1);
    if (!fact) continue;
    if (last && 'facts' in last) last.facts.push(fact);
    else items.push({ name, facts: [fact] });
  }
  return items;
}

export function Content({ items }: { items: readonly Item[] }) {
  return items.map((item) =>
    'facts' in item ? (
      <Facts key={item.name} items={item.facts} />
    ) : (
      <Fragment key={item.name}>{item.block}</Fragment>
    ),
  );
}
