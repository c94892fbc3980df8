/** The page of a plain noun: list with filters, form, detail, removal, spreadsheets; a tree at the left where it has one. */
import type { TFunction } from 'i18next';
import { Fragment, type ReactNode, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import type { Params } from '@/api/calls';
import type { ColumnKey, Kind, Noun, RowOf } from '@/api/noun';
import { listRows } from '@/api/nounCalls';
import { useLanguage, useTranslation } from '@/i18n';
import { inSentence } from '@/lib/sentence';
import { extraColumns, useExtraFilters, useExtras, useExtrasReady } from './extras';
import { type FilterEntry, useFilters } from './nounFilters';
import { nameField, shownName } from './nounText';
import { isState, shownValue } from './nounValue';
import { type Card, type Column, ResourceList } from './ResourceList';
import { type PlainFilter, sourceOf } from './references';
import { TreePane } from './TreePane';
import { pathTo, type TreeNode } from './tree';
import { type NounControl, type NounOptions, RemoveButton, type Shows, useNoun } from './useNoun';

export type { Values } from './ChangedDialog';
export { ReferenceField, TreeReferenceField } from './nounFields';
export { type Source, useLazyTree, useOptions, useTree } from './references';
export type { FormEntry } from './useNoun';

/** A column by its field, with what differs from the usual. */
export type ColumnEntry<N extends Noun> =
  | ColumnKey<N>
  | {
      key: ColumnKey<N>;
      width?: number;
      title?: string;
      render?: (row: RowOf<N>) => ReactNode;
      /** Codes and tags must not wrap. */
      nowrap?: boolean;
      /** Offered in the choice of columns, but not shown at first. */
      extra?: boolean;
    };

export interface NounPageProps<N extends Noun> extends Omit<NounOptions<N>, 'name'> {
  /** The field that names a row, where it is not its name. */
  name?: ColumnKey<N>;
  /** All that fits a cell, in the noun's order, unless the screen says otherwise. */
  columns?: readonly ColumnEntry<N>[];
  /** All that the list may be asked, in the noun's order, unless the screen says otherwise. */
  filters?: readonly FilterEntry<N>[];
  /** The page's title where it is not the noun's. */
  heading?: string;
  /** A tree at the left; the chosen node is sent as `param`, and new rows begin with it as `field`. */
  pane?: {
    title: string;
    nodes: readonly TreeNode[] | undefined;
    param: string;
    field?: string;
    /** Where the tree comes level by level; see `useLazyTree`. */
    load?: (key: string) => Promise<unknown>;
  };
  /** More actions beside "add". */
  actions?: (control: NounControl<N>) => ReactNode;
  /** The main action, at the right end, where it is not "add". */
  main?: ReactNode;
  bulk?: (rows: readonly RowOf<N>[], clear: () => void) => ReactNode;
  card?: (row: RowOf<N>) => Card;
  empty?: { title: string; hint?: string; action?: ReactNode };
}

const WIDTHS: Partial<Record<string, number>> = {
  integer: 100,
  decimal: 110,
  flag: 90,
  moment: 160,
  date: 120,
  choice: 120,
};

/** Room for a tag in either language. */
const STATE = 108;

/** Told by every row, and wanted in few lists. */
const TIMES = ['createTime', 'updateTime'];

/** Fields that the page does not show, for those who want to see them; what has a name of its own is that name. */
function others<N extends Noun>(
  noun: N,
  entries: readonly (string | { key: string; title?: string })[],
  label: (name: string) => string,
): { key: ColumnKey<N>; extra: true }[] {
  const told = new Set(
    entries.map((entry) => (typeof entry === 'string' ? label(entry) : (entry.title ?? label(entry.key)))),
  );
  const found: { key: ColumnKey<N>; extra: true }[] = [];
  for (const [name, field] of Object.entries(noun.fields)) {
    if (HIDDEN.has(field.kind) || field.writeOnly || field.detailOnly) continue;
    if (shownName(noun, name) !== name || told.has(label(name))) continue;
    told.add(label(name));
    found.push({ key: name as ColumnKey<N>, extra: true });
  }
  return found;
}

export function columnsOf<N extends Noun>(
  noun: N,
  entries: readonly ColumnEntry<N>[] | undefined,
  label: (name: string) => string,
  show?: NounOptions<N>['show'],
): Column<RowOf<N>>[] {
  const shown = entries ?? others(noun, TIMES, label).map(({ key }) => key);
  return [...shown, ...others(noun, shown, label)].map((entry) => {
    const given: Exclude<ColumnEntry<N>, string> = typeof entry === 'string' ? { key: entry } : entry;
    const field = noun.fields[given.key];
    // A value's name is sorted by the value; other names, such as a person's, by themselves.
    const sorted =
      given.key.endsWith('Name') && !field?.sortable ? noun.fields[given.key.slice(0, -4)] : field;
    const kind = field?.kind ?? 'text';
    return {
      key: (sorted?.sortable && sorted !== field ? given.key.slice(0, -4) : given.key) as Column<
        RowOf<N>
      >['key'],
      title: given.title ?? label(given.key),
      width:
        given.width ??
        (isState(noun, given.key) ? STATE : WIDTHS[sorted?.kind ?? kind]) ??
        (field?.max && field.max > 100 ? 180 : 160),
      sortable: sorted?.sortable,
      nowrap:
        given.nowrap ||
        kind === 'moment' ||
        kind === 'date' ||
        kind === 'integer' ||
        kind === 'minutes' ||
        isState(noun, given.key),
      align: ['integer', 'decimal', 'minutes'].includes(kind) ? 'end' : undefined,
      extra: given.extra,
      render:
        given.render ??
        (show as Shows | undefined)?.[given.key] ??
        ((row: RowOf<N>) => shownValue(noun, given.key, row)),
    };
  });
}

/** Kinds that say nothing in a cell. */
const HIDDEN: ReadonlySet<Kind> = new Set<Kind>([
  'id',
  'ids',
  'version',
  'json',
  'list',
  'extras',
  'details',
  'image',
  'images',
  'files',
  'voice',
  'longtext',
]);

/** A number alone says nothing: outside its column it needs the column's word. */
function withWord<Row>(column: Column<Row>, part: ReactNode): ReactNode {
  const bare = column.align === 'end' || (typeof part === 'string' && /^\d{1,6}$/.test(part));
  if (!bare) return part;
  return (
    <>
      {column.title} {part}
    </>
  );
}

/** Two quiet lines of a card: the next field alone, then what else is short, without dashes. */
export function cardLines<Row>(columns: readonly Column<Row>[], row: Row): ReactNode[] {
  const parts = columns
    .map((column) => [column.key, column.render?.(row), column] as const)
    .filter(([, part]) => part !== '-' && part !== undefined && part !== null)
    .map(([key, part, column]) => [key, withWord(column, part)] as const)
    // What two fields say alike is said once.
    .filter(([, part], index, all) => all.findIndex(([, other]) => other === part) === index);
  const [head, ...rest] = parts;
  const line = rest.slice(0, 3).map(([key, part], index) => (
    <Fragment key={key}>
      {index > 0 && ' · '}
      {part}
    </Fragment>
  ));
  return [head?.[1], line.length > 0 ? line : undefined].filter((part) => part !== undefined);
}

/** Why a noun's list is empty. */
export function emptyTexts<N extends Noun>(control: NounControl<N>, t: TFunction, below = false) {
  if (below) return { title: t('kit.noun.noneBelow'), hint: t('kit.noun.noneBelowHint') };
  const name = inSentence(control.plural);
  return {
    title: t('kit.noun.none', { name }),
    hint: control.mayBeAdded
      ? t(control.addButton ? 'kit.noun.noneHint' : 'kit.noun.noneNoRight', { name })
      : undefined,
  };
}

/** Every filter of the noun but the times of each row, and references that nobody can choose from. */
function allFilters<N extends Noun>(noun: N, fixed?: Params): FilterEntry<N>[] {
  const names = Object.keys(noun.filters) as (PlainFilter<N> & string)[];
  return names.filter(
    (name) => !TIMES.includes(name) && (noun.filters[name] !== 'id' || sourceOf(noun, name, fixed)),
  );
}

export function NounPage<N extends Noun>(given: NounPageProps<N>) {
  const props = { ...given, name: given.name ?? nameField(given.noun) };
  const { noun, pane, fixed } = props;
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  const node = pane && (params.get('node') ?? undefined);
  const initial = useMemo(
    () => (pane?.field && node ? { ...props.initial, [pane.field]: node } : props.initial),
    [pane?.field, node, props.initial],
  );
  const control = useNoun<N>({ ...props, initial });
  const extras = useExtras(noun);
  const ready = useExtrasReady(extras);
  const filters = [
    ...useFilters(noun, props.filters ?? allFilters(noun, fixed), fixed),
    ...useExtraFilters(noun, extras.fields),
  ];
  const columns = [
    ...columnsOf(noun, props.columns, control.label, props.show),
    ...extraColumns<RowOf<N>>(extras.fields, useLanguage()),
  ];
  const sent: Params = { ...fixed, ...(pane && { [pane.param]: node }) };
  const title = props.heading ?? pathTo(pane?.nodes ?? [], node).at(-1)?.label ?? control.heading;

  const onCard = columns.filter(
    (column) => column.key !== props.name && column.key !== 'sort' && !column.extra,
  );
  const card = (row: RowOf<N>): Card => ({
    title:
      (props.show as Shows | undefined)?.[props.name]?.(row) ??
      String((row as Record<string, unknown>)[props.name] ?? ''),
    state: onCard.find((column) => isState(noun, column.key))?.render?.(row),
    meta: cardLines(
      onCard.filter((column) => !isState(noun, column.key)),
      row,
    ),
  });
  const list = (
    <ResourceList<RowOf<N>>
      name={noun.name}
      title={title}
      load={(query, signal) => listRows(noun, query, signal)}
      ready={ready}
      fixed={sent}
      columns={columns}
      filters={filters}
      inline={pane ? 2 : 3}
      action={(asked) => (
        <>
          {props.actions?.(control)}
          {control.headActions(asked)}
          {props.main}
        </>
      )}
      card={props.card ?? card}
      onOpen={control.can('detail') ? control.openDetail : undefined}
      addressOf={control.addressOf}
      rowActions={control.rowActions}
      folds
      bulk={
        control.can('remove') || props.bulk
          ? (rows, clear) => {
              const removable = rows.filter(control.mayBeRemoved);
              return (
                <>
                  {props.bulk?.(rows, clear)}
                  {control.can('remove') && (
                    <RemoveButton count={removable.length} onClick={() => control.remove(removable)} />
                  )}
                </>
              );
            }
          : undefined
      }
      empty={{
        ...emptyTexts(control, t, node !== undefined),
        action: props.main ?? control.addButton,
        ...props.empty,
      }}
    />
  );
  if (!pane) {
    return (
      <>
        {list}
        {control.dialogs}
      </>
    );
  }
  const choose = (key: string | undefined) =>
    setParams((previous) => {
      const next = new URLSearchParams(previous);
      next.delete('current');
      if (key) next.set('node', key);
      else next.delete('node');
      return next;
    });
  return (
    <TreePane
      name={noun.name}
      title={pane.title}
      nodes={pane.nodes}
      load={pane.load}
      selected={node}
      onSelect={choose}
    >
      {list}
      {control.dialogs}
    </TreePane>
  );
}
