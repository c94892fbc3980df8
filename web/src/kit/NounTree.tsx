/** The page of a noun that is a tree: a table whose rows unfold, level by level where the server offers that. */
import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { Button, Table, type TableProps } from 'antd';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { Params } from '@/api/calls';
import type { Noun, RowOf } from '@/api/noun';
import { type Nested, treeRows } from '@/api/nounCalls';
import { useTranslation } from '@/i18n';
import { useSession } from '@/session/session';
import { FilterBar, FilterChips, namesOf } from './filters';
import { branches, countRows, hung, joined, narrowed, passes } from './forest';
import { LookMenu } from './LookMenu';
import { personKey, useLook } from './listLook';
import { useListState } from './listState';
import { type ColumnEntry, columnsOf, emptyTexts } from './NounPage';
import { type FilterEntry, useFilters } from './nounFilters';
import { actionsWidth, columnWidth, FOLDED, RowActions, RowLink } from './ResourceList';
import { useRowKeys } from './rowKeys';
import { EmptyState, ErrorState, PageSkeleton } from './states';
import { type NounControl, type NounOptions, useNoun } from './useNoun';
import { headHeight, useBroad, usePhone } from './width';

interface NounTreeProps<N extends Noun> extends NounOptions<N> {
  columns: readonly ColumnEntry<N>[];
  filters?: readonly FilterEntry<N>[];
  /** The call that answers the forest; of `lazy-list` the rows of all levels, where `list` answers pages. */
  call?: string;
  /** The call that answers one level, where the forest is too large to be fetched whole. */
  lazy?: 'lazy-list' | 'lazy-menu-list';
  /** Rows that may have others below them get "add below". */
  mayHold?: (row: RowOf<N>) => boolean;
  actions?: (control: NounControl<N>) => ReactNode;
  empty?: { title: string; hint?: string };
}

/** The rows of all levels. */
function everyRow<N extends Noun>(rows: readonly Nested<N>[]): Nested<N>[] {
  return rows.flatMap((row) => [row, ...everyRow<N>(row.children ?? [])]);
}

const NONE: readonly string[] = [];
/** Small forests are seen whole, larger ones begin folded. */
const SEEN_WHOLE = 60;
/** More rows than this are not unfolded at one click. */
const UNFOLDED = 1000;

/** Which rows are unfolded, for as long as the browser's tab lives; `undefined` until somebody folds anything. */
function useUnfolded(name: string): [readonly string[] | undefined, (ids: readonly string[]) => void] {
  const key = personKey('open', name, useSession()?.userId);
  const [ids, setIds] = useState<readonly string[] | undefined>(() => {
    const kept = sessionStorage.getItem(key);
    return kept === null ? undefined : kept.split(',').filter(Boolean);
  });
  return [
    ids,
    (next) => {
      sessionStorage.setItem(key, next.join(','));
      setIds(next);
    },
  ];
}

interface Forest<N extends Noun> {
  rows: readonly Nested<N>[] | undefined;
  error: unknown;
  refetch: () => void;
  isPlaceholderData: boolean;
}

/** The forest whole, and narrowed here: so the ways to what is found stay in sight. */
function useWhole<N extends Noun>(props: NounTreeProps<N>, filters: Record<string, string>): Forest<N> {
  const { noun, fixed, call = 'list', lazy } = props;
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [noun.name, 'forest', call, fixed],
    queryFn: async ({ signal }) => {
      const found = await treeRows(noun, call, fixed, signal);
      return call === 'lazy-list' ? (hung<RowOf<N>>(found) as Nested<N>[]) : found;
    },
    placeholderData: keepPreviousData,
    enabled: !lazy,
  });
  const wanted = JSON.stringify(filters);
  const rows = useMemo(() => {
    if (!data || wanted === '{}') return data;
    const asked = JSON.parse(wanted) as Record<string, string>;
    return narrowed<RowOf<N>>(data, (row) => passes(row, asked, noun.filters)) as Nested<N>[];
  }, [data, wanted, noun]);
  return { rows, error, refetch, isPlaceholderData };
}

/** Level by level as rows are unfolded; what is looked for is found by the server. */
function useLevels<N extends Noun>(
  props: NounTreeProps<N>,
  filters: Record<string, string>,
  unfolded: readonly string[],
): Forest<N> {
  const { noun, fixed, lazy } = props;
  const searching = Object.keys(filters).length > 0;
  const level = (parentId: string | undefined) => ({
    queryKey: [noun.name, 'level', lazy, { ...fixed, parentId, ...(parentId === undefined && filters) }],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      treeRows(
        noun,
        lazy ?? 'lazy-list',
        { ...fixed, ...(parentId === undefined ? filters : { parentId }) },
        signal,
      ),
    enabled: lazy !== undefined,
  });
  const top = useQuery({ ...level(searching ? undefined : '0'), placeholderData: keepPreviousData });
  const below = useQueries({ queries: lazy && !searching ? unfolded.map(level) : [] });
  const rows = useMemo(() => {
    if (!top.data) return undefined;
    if (searching) return hung<RowOf<N>>(top.data) as Nested<N>[];
    const levels = new Map(unfolded.map((id, index) => [id, below[index]?.data]));
    return joined<RowOf<N>>(top.data, (id) => levels.get(id)) as Nested<N>[];
  }, [top.data, searching, unfolded, below]);
  const { error, refetch, isPlaceholderData } = top;
  return { rows, error, refetch, isPlaceholderData };
}

export function NounTree<N extends Noun>(props: NounTreeProps<N>) {
  const { noun, fixed, lazy, mayHold } = props;
  const { t } = useTranslation();
  const phone = usePhone();
  const narrow = !useBroad();
  const filters = useFilters(noun, props.filters ?? [], props.fixed);
  const list = useListState(noun.name, filters.flatMap(namesOf));
  const sent: Params = { ...fixed, ...list.filters };
  const searching = Object.keys(list.filters).length > 0;
  const [unfolded, setUnfolded] = useUnfolded(noun.name);
  const whole = useWhole(props, list.filters);
  const levels = useLevels(props, list.filters, unfolded ?? NONE);
  const { rows: data, error, refetch, isPlaceholderData } = lazy ? levels : whole;
  const all = branches<RowOf<N>>(data ?? []);
  const count = countRows<RowOf<N>>(data ?? []);
  const first = lazy || count > SEEN_WHOLE ? [] : all;
  const open = searching ? all : (unfolded ?? first);
  const area = useRef<HTMLElement>(null);
  useRowKeys(area);

  const control = useNoun<N>({
    ...props,
    rowActions: (row) => [
      ...(props.rowActions?.(row) ?? []),
      ...(holds('add') && (mayHold?.(row) ?? true)
        ? [{ key: 'below', label: t('kit.noun.below'), onClick: () => addBelow(row) }]
        : []),
    ],
  });
  // Functions, because the control that they ask is made with the very actions that they belong to.
  function holds(name: string): boolean {
    return control.can(name);
  }
  function addBelow(row: RowOf<N>): void {
    control.openForm(undefined, { ...props.initial, parentId: row.id });
  }

  const look = useLook(noun.name, columnsOf(noun, props.columns, control.label, props.show));
  // A phone has room for one column; the second one's word stands below the first.
  const second = look.shown[1];
  const columns: NonNullable<TableProps<Nested<N>>['columns']> = look.shown.map((column, index) => ({
    key: column.key,
    title: column.title,
    width: phone ? undefined : index === 0 ? Math.max(column.width, 260) : columnWidth(column),
    align: column.align,
    className: column.align && 'x-number',
    fixed: index === 0 && !phone ? 'start' : undefined,
    render: (_, row) => (
      <span className={phone ? 'x-branch' : column.nowrap ? 'x-nowrap' : undefined}>
        {index === 0 && control.can('detail') ? (
          <RowLink to={control.addressOf(row)}>{column.render?.(row)}</RowLink>
        ) : (
          column.render?.(row)
        )}
        {phone && second && <span className="x-below">{second.render?.(row)}</span>}
      </span>
    ),
  }));
  const shown = phone ? columns.slice(0, 1) : columns;
  const actions = everyRow<N>(data ?? []).map(control.rowActions);
  const table: typeof columns = [...shown];
  if (actions.some((each) => each.length > 0)) {
    table.push({
      key: 'actions',
      title: narrow ? <span className="x-sr">{t('kit.actions')}</span> : t('kit.actions'),
      width: narrow ? FOLDED : actionsWidth(actions),
      fixed: phone ? undefined : 'end',
      render: (_, row) => <RowActions actions={control.rowActions(row)} folded={narrow} />,
    });
  }

  const texts = emptyTexts(control, t);
  let body: ReactNode;
  if (error && !data) body = <ErrorState error={error} retry={refetch} />;
  else if (!data) body = <PageSkeleton rows={8} />;
  else if (data.length === 0) {
    body = (
      <EmptyState
        title={searching ? t('kit.list.none') : (props.empty?.title ?? texts.title)}
        hint={searching ? t('kit.list.noneHint') : (props.empty?.hint ?? texts.hint)}
        action={
          searching ? (
            <Button
              onClick={() =>
                list.setFilters(Object.fromEntries(Object.keys(list.filters).map((name) => [name, ''])))
              }
            >
              {t('kit.list.clear')}
            </Button>
          ) : (
            control.addButton
          )
        }
      />
    );
  } else {
    body = (
      <Table<Nested<N>>
        rowKey="id"
        size={look.density}
        columns={table}
        dataSource={data}
        pagination={false}
        sticky={{ offsetHeader: headHeight() }}
        tableLayout="fixed"
        scroll={phone ? undefined : { x: table.reduce((sum, column) => sum + Number(column.width), 0) }}
        expandable={{
          expandedRowKeys: open,
          onExpandedRowsChange: (keys) => setUnfolded(keys.map(String)),
          indentSize: phone ? 10 : 20,
        }}
        onRow={(row) =>
          control.can('detail')
            ? {
                className: 'x-row',
                tabIndex: 0,
                onClick: () => control.openDetail(row),
                onKeyDown: (event) => {
                  if (event.key === 'Enter' && event.target === event.currentTarget) control.openDetail(row);
                },
              }
            : {}
        }
      />
    );
  }
  const folds = all.length > 0 && !searching && !lazy && count <= UNFOLDED;
  const isOpen = open.length >= all.length;
  return (
    <section aria-label={control.heading} ref={area}>
      <div className="x-head">
        <h1>{control.heading}</h1>
        {data && !lazy && (
          <span className="x-head-count">{t('kit.list.count', { n: count.toLocaleString() })}</span>
        )}
        <div className="x-head-actions">
          {!phone && <LookMenu look={look} />}
          {folds && (
            <Button
              icon={isOpen ? <UpOutlined /> : <DownOutlined />}
              aria-label={t(isOpen ? 'kit.noun.collapse' : 'kit.noun.expand')}
              onClick={() => setUnfolded(isOpen ? [] : all)}
            >
              {!phone && t(isOpen ? 'kit.noun.collapse' : 'kit.noun.expand')}
            </Button>
          )}
          {props.actions?.(control)}
          {control.headActions(sent)}
        </div>
      </div>
      <FilterBar filters={filters} list={list} inline={3} />
      <FilterChips filters={filters} list={list} />
      <div
        className={data?.length === 0 && phone ? 'x-rows' : 'x-rows x-panel'}
        aria-busy={isPlaceholderData}
      >
        {body}
      </div>
      {control.dialogs}
    </section>
  );
}
