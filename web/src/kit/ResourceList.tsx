/** A list of rows from the server: title, filters, table or cards, paging; one component for every list of the console. */
import { MoreOutlined } from '@ant-design/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Dropdown, Pagination, Table, type TableProps } from 'antd';
import { type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, type To } from 'react-router';
import type { Params } from '@/api/calls';
import type { Page } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { type Filter, FilterBar, FilterChips, namesOf } from './filters';
import { LookMenu } from './LookMenu';
import { useBackCloses } from './leaving';
import { type Look, useLook } from './listLook';
import { type ListControl, PAGE_SIZES, useListState } from './listState';
import { useRowKeys } from './rowKeys';
import { SavedViews } from './SavedViews';
import { EmptyState, ErrorState, PageSkeleton } from './states';
import { useLongPress } from './useLongPress';
import { headHeight, useBroad, usePhone, useRoom } from './width';

export interface Column<Row> {
  /** The field, and the name sent for sorting. */
  key: Extract<keyof Row, string>;
  title: string;
  width: number;
  sortable?: boolean;
  /** Names wrap to two lines; codes, numbers and states must not. */
  nowrap?: boolean;
  /** Shows all of its text, where others end after two lines. */
  whole?: boolean;
  align?: 'end';
  /** Offered in the choice of columns, but not shown at first. */
  extra?: boolean;
  render?: (row: Row) => ReactNode;
}

export interface RowAction {
  key: string;
  label: string;
  onClick: () => void;
  danger?: boolean;
}

export interface Card {
  title: ReactNode;
  state?: ReactNode;
  /** One or two quiet lines. */
  meta: readonly ReactNode[];
}

export interface ResourceListProps<Row> {
  /** First part of the query key, which actions invalidate; also names the list in storage. */
  name: string;
  title: string;
  load: (params: Params, signal: AbortSignal) => Promise<Page<Row>>;
  /** False while not all filters of the list are known yet. */
  ready?: boolean;
  /** Sent with every request, but not the reader's to change. */
  fixed?: Params;
  columns: readonly Column<Row>[];
  card: (row: Row) => Card;
  filters?: readonly Filter[];
  /** So many filters stand in sight; the others are behind "more". */
  inline?: number;
  /** The main actions, at the right of the title; they may depend on what is asked for now. */
  action?: ReactNode | ((params: Params) => ReactNode);
  /** Between the head and the filters: what is to be known of all the rows. */
  intro?: ReactNode;
  /** Whether people may keep views of it under names of their own. */
  views?: boolean;
  /** Sets of filters that one click puts on and takes off. */
  quick?: readonly Quick[];
  /** Little room, such as beside a pane: cards in place of the table. */
  narrow?: boolean;
  rowClass?: (row: Row) => string | undefined;
  /** Rows can be chosen; what can be done with the chosen ones. */
  bulk?: (rows: readonly Row[], clear: () => void) => ReactNode;
  /** On a phone too, by a button or a finger that rests on a card. */
  bulkOnPhone?: boolean;
  /** The first two stand in sight, the rest under "more". What the person may not do is left out by the caller. */
  rowActions?: (row: Row) => readonly RowAction[];
  /** No row shows more of its actions than another that has some under "more". */
  alike?: boolean;
  /** Its actions go behind one button where the columns do not fit beside them. */
  folds?: boolean;
  onOpen?: (row: Row) => void;
  /** The address of what `onOpen` shows, for those who want it in a tab or window of its own. */
  addressOf?: (row: Row) => To;
  /** Id of the row whose content is shown beside the list. */
  opened?: string;
  /** Why there is nothing and the first step, when no filter is set. */
  empty?: { title: string; hint?: string; action?: ReactNode };
  /** Told of the rows in sight; the same function at every drawing. */
  onRows?: (rows: readonly Row[]) => void;
  /** Seconds between two looks, for lists that others fill. */
  poll?: number;
}

/** Filters in sight as one word; their names may be those of `filters`, or others that the server knows. */
export interface Quick {
  label: string;
  filters: Readonly<Record<string, string>>;
}

const SIGHT = 2;
/** Pixels of a column that holds one button. */
export const FOLDED = 60;

export function ResourceList<Row extends { id: string }>(props: ResourceListProps<Row>) {
  const { name, title, load, fixed, filters = [], quick = [], inline = 4, poll, onRows } = props;
  const { t } = useTranslation();
  const phone = usePhone();
  const list = useListState(name, [
    ...new Set([...filters.flatMap(namesOf), ...quick.flatMap((one) => Object.keys(one.filters))]),
  ]);
  const params: Params = {
    ...fixed,
    ...list.filters,
    current: list.current,
    size: list.size,
    [list.sort?.descending ? 'descs' : 'ascs']: list.sort?.key,
  };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [name, 'list', params],
    queryFn: ({ signal }) => load(params, signal),
    enabled: props.ready,
    placeholderData: keepPreviousData,
    refetchInterval: poll && poll * 1000,
  });

  // The last row of the last page was removed, or the address names a page that is no more.
  const { setPage, size } = list;
  const past = data && !isPlaceholderData && data.records.length === 0 ? Math.ceil(data.total / size) : 0;
  useEffect(() => {
    if (past > 0) setPage(past, size);
  }, [past, setPage, size]);

  const look = useLook(name, props.columns);
  const area = useRef<HTMLElement>(null);
  useRowKeys(area);
  const [chosen, setChosen] = useState<readonly Row[]>([]);
  // Rows that are out of sight are not acted on; the others are, as they stand now.
  useEffect(() => {
    setChosen((before) =>
      before.length === 0
        ? before
        : (data?.records ?? []).filter((row) => before.some(({ id }) => id === row.id)),
    );
  }, [data]);
  useEffect(() => {
    if (data && !isPlaceholderData) onRows?.(data.records);
  }, [data, isPlaceholderData, onRows]);
  const [choosing, setChoosing] = useState(false);
  const clear = () => {
    setChosen([]);
    setChoosing(false);
  };
  const chooses = phone ? props.bulk && props.bulkOnPhone : props.bulk;
  useBackCloses(phone && choosing, clear);
  const action = typeof props.action === 'function' ? props.action(params) : props.action;
  let body: ReactNode;
  if (error && (!data || isPlaceholderData)) body = <ErrorState error={error} retry={refetch} />;
  else if (!data) body = <PageSkeleton rows={8} />;
  else if (data.total === 0)
    body = <Nothing {...props} filtered={Object.keys(list.filters).length > 0} list={list} />;
  else if (phone || props.narrow)
    body = (
      <Cards
        {...props}
        rows={data.records}
        chosen={chosen}
        setChosen={chooses && (!phone || choosing) ? setChosen : undefined}
        onHold={
          phone && chooses
            ? (row) => {
                setChoosing(true);
                setChosen((before) => [...before.filter(({ id }) => id !== row.id), row]);
              }
            : undefined
        }
        tapChooses={phone && choosing}
      />
    );
  else {
    body = (
      <Rows {...props} rows={data.records} list={list} look={look} chosen={chosen} setChosen={setChosen} />
    );
  }

  return (
    <section aria-label={title} ref={area}>
      <div className="x-head">
        <h1>{title}</h1>
        {data && (
          <span className="x-head-count">
            {t(data.totalIsEstimate ? 'kit.list.about' : 'kit.list.count', {
              n: data.total.toLocaleString(),
            })}
          </span>
        )}
        {(action || props.views || !(phone || props.narrow)) && (
          <div className="x-head-actions">
            {props.views && <SavedViews list={name} narrow={phone || props.narrow} />}
            {!phone && !props.narrow && <LookMenu look={look} />}
            {action}
            {phone && chooses && data && data.total > 0 && (
              <Button
                type={choosing ? 'primary' : 'default'}
                aria-pressed={choosing}
                onClick={() => (choosing ? clear() : setChoosing(true))}
              >
                {t('kit.list.chooseSome')}
              </Button>
            )}
          </div>
        )}
      </div>
      {props.intro}
      <FilterBar filters={filters} list={list} inline={inline} />
      <QuickFilters quick={quick} list={list} />
      <FilterChips filters={filters} list={list} />
      <div
        className={phone || props.narrow ? 'x-rows' : 'x-rows x-panel'}
        aria-busy={isPlaceholderData && !error}
      >
        {body}
        {data && data.total > (phone ? list.size : PAGE_SIZES[0]) && (
          <div className="x-paging">
            <Pagination
              current={list.current}
              pageSize={list.size}
              total={data.total}
              onChange={list.setPage}
              simple={phone || props.narrow}
              showSizeChanger={!phone && !props.narrow}
              pageSizeOptions={[...PAGE_SIZES]}
              responsive={false}
            />
          </div>
        )}
      </div>
      {/* Below the rows, so that none of them moves when the first one is chosen. */}
      {chooses && (phone ? choosing : chosen.length > 0) && (
        <div className="x-bulk" role="status">
          <span>{t('kit.list.chosen', { n: chosen.length })}</span>
          {chosen.length > 0 && props.bulk?.(chosen, clear)}
          <Button type="link" onClick={clear}>
            {t('kit.list.unchoose')}
          </Button>
        </div>
      )}
    </section>
  );
}

function QuickFilters({ quick, list }: { quick: readonly Quick[]; list: ListControl }) {
  if (quick.length === 0) return null;
  return (
    <div className="x-quick">
      {quick.map(({ label, filters }) => {
        const on = Object.entries(filters).every(([name, value]) => list.filters[name] === value);
        const off = Object.fromEntries(Object.keys(filters).map((name) => [name, '']));
        return (
          <button
            key={label}
            type="button"
            aria-pressed={on}
            onClick={() => list.setFilters(on ? off : filters)}
          >
            {label}
          </button>
        );
      })}
    </div>
  );
}

function Nothing<Row>({
  empty,
  filtered,
  list,
}: ResourceListProps<Row> & { filtered: boolean; list: ListControl }) {
  const { t } = useTranslation();
  if (!filtered)
    return (
      <EmptyState title={empty?.title ?? t('kit.list.empty')} hint={empty?.hint} action={empty?.action} />
    );
  const clear = () =>
    list.setFilters(Object.fromEntries(Object.keys(list.filters).map((name) => [name, ''])));
  return (
    <EmptyState
      title={t('kit.list.none')}
      hint={t('kit.list.noneHint')}
      action={<Button onClick={clear}>{t('kit.list.clear')}</Button>}
    />
  );
}

function MoreMenu({ actions, card }: { actions: readonly RowAction[]; card?: boolean }) {
  const { t } = useTranslation();
  if (actions.length === 0) return null;
  const items = actions.map(({ key, label, danger, onClick }) => ({
    key,
    label,
    danger,
    onClick: ({ domEvent }: { domEvent: { stopPropagation: () => void } }) => {
      domEvent.stopPropagation();
      onClick();
    },
  }));
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      {card ? (
        <Button
          className="x-card-more"
          type="text"
          icon={<MoreOutlined />}
          aria-label={t('kit.list.rowActions')}
        />
      ) : (
        <Button type="link">{t('kit.more')}</Button>
      )}
    </Dropdown>
  );
}

/** The first two; one lonely entry under "more" would cost a click for nothing. */
function inSight(actions: readonly RowAction[], alike = false): readonly RowAction[] {
  return actions.slice(0, actions.length === SIGHT + 1 && !alike ? SIGHT + 1 : SIGHT);
}

/** What can be done with a row; `folded` puts all of it behind one button. */
export function RowActions({
  actions,
  folded,
  alike,
}: {
  actions: readonly RowAction[];
  folded?: boolean;
  alike?: boolean;
}) {
  const shown = folded ? [] : inSight(actions, alike);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps the buttons' clicks from opening the row
    // biome-ignore lint/a11y/noStaticElementInteractions: same
    <div className="x-row-actions" onClick={(event) => event.stopPropagation()}>
      {shown.map(({ key, label, danger, onClick }) => (
        <Button key={key} type="link" danger={danger} onClick={onClick}>
          {label}
        </Button>
      ))}
      <MoreMenu actions={actions.slice(shown.length)} card={folded} />
    </div>
  );
}

/** A row's first cell as a link: a plain click is the row's own, any other is the browser's. */
export function RowLink({ to, children }: { to: To; children: ReactNode }) {
  const onClick = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) event.stopPropagation();
    else event.preventDefault();
  };
  return (
    // The row itself is reached by the keyboard.
    <Link to={to} className="x-row-link" tabIndex={-1} onClick={onClick}>
      {children}
    </Link>
  );
}

function shown(value: unknown): ReactNode {
  return value === null || value === undefined || value === '' ? '-' : String(value);
}

/** About how wide a text of the table is. */
function letters(text: string): number {
  return [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 14 : 7.6), 0);
}

/** Room for the whole head of a column and its arrows, in either language. */
export function columnWidth({
  title,
  width,
  sortable,
}: Pick<Column<never>, 'title' | 'width' | 'sortable'>): number {
  return Math.max(width, Math.ceil(letters(title)) + (sortable ? 40 : 20));
}

/** Wide enough for the widest row's actions in either language, so that nothing is cut and nothing wasted. */
export function actionsWidth(rows: readonly (readonly RowAction[])[], alike = false): number {
  const widths = rows.map((actions) => {
    const labels = inSight(actions, alike).map((action) => letters(action.label) + 12);
    return labels.reduce((sum, width) => sum + width, actions.length > labels.length ? 46 : 0);
  });
  return Math.max(76, Math.ceil(Math.max(0, ...widths)) + 24);
}

/** Pixels of all columns, and of the boxes before them. */
function widthOf(columns: readonly { width?: number | string }[], bulk: unknown): number {
  return columns.reduce((sum, column) => sum + Number(column.width), bulk ? 44 : 0);
}

function Rows<Row extends { id: string }>({
  look,
  rows,
  list,
  onOpen,
  addressOf,
  opened,
  rowActions,
  alike: wantsAlike,
  folds,
  rowClass,
  bulk,
  chosen,
  setChosen,
}: ResourceListProps<Row> & {
  rows: Row[];
  list: ListControl;
  look: Look<Column<Row>>;
  chosen: readonly Row[];
  setChosen: (rows: readonly Row[]) => void;
}) {
  const { t } = useTranslation();
  const broad = useBroad();
  const frame = useRef<HTMLDivElement>(null);
  const room = useRoom(frame);
  const table: NonNullable<TableProps<Row>['columns']> = look.shown.map((column, index) => ({
    key: column.key,
    title: column.title,
    width: columnWidth(column),
    align: column.align,
    className: column.align && 'x-number',
    fixed: index === 0 ? 'start' : undefined,
    sorter: column.sortable,
    sortOrder: list.sort?.key === column.key ? (list.sort.descending ? 'descend' : 'ascend') : null,
    render: (_, row) => {
      const content = column.render ? column.render(row) : shown(row[column.key]);
      const hint = typeof content === 'string' && !column.nowrap ? content : undefined;
      return (
        <div className={column.nowrap ? 'x-nowrap' : column.whole ? undefined : 'x-two'} title={hint}>
          {index === 0 && onOpen && addressOf ? <RowLink to={addressOf(row)}>{content}</RowLink> : content}
        </div>
      );
    },
  }));
  const actions = rowActions ? rows.map(rowActions) : [];
  if (rowActions && actions.some((each) => each.length > 0)) {
    // Where the table is narrow already, its columns need the room more than words which the menu tells as well.
    const alike = wantsAlike && actions.some((each) => each.length > SIGHT + 1);
    const wanted = widthOf(table, bulk) + actionsWidth(actions, alike);
    const tight = !broad || (folds && room > 0 && wanted > room);
    const folded = Boolean(tight) && actions.some((each) => each.length > 1);
    table.push({
      key: 'actions',
      title: folded ? <span className="x-sr">{t('kit.actions')}</span> : t('kit.actions'),
      fixed: 'end',
      width: folded ? FOLDED : actionsWidth(actions, alike),
      render: (_, row) => <RowActions actions={rowActions(row)} folded={folded} alike={alike} />,
    });
  }
  return (
    <div ref={frame}>
      <Table<Row>
        rowKey="id"
        size={look.density}
        columns={table}
        dataSource={rows}
        rowSelection={
          bulk && {
            fixed: true,
            columnWidth: 44,
            selectedRowKeys: chosen.map((row) => row.id),
            onChange: (_, selected) => setChosen(selected),
            // A click beside the box must not open the row.
            onCell: () => ({ onClick: (event) => event.stopPropagation() }),
          }
        }
        pagination={false}
        sticky={{ offsetHeader: headHeight() }}
        scroll={{ x: widthOf(table, bulk) }}
        showSorterTooltip={false}
        onChange={(_paging, _filters, sorter) => {
          const chosen = Array.isArray(sorter) ? sorter[0] : sorter;
          list.setSort(chosen?.order ? String(chosen.columnKey) : undefined, chosen?.order === 'descend');
        }}
        onRow={(row) =>
          onOpen
            ? {
                className: ['x-row', row.id === opened && 'ant-table-row-selected', rowClass?.(row)]
                  .filter(Boolean)
                  .join(' '),
                'aria-current': row.id === opened || undefined,
                tabIndex: 0,
                onClick: () => onOpen(row),
                onKeyDown: (event) => {
                  if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row);
                },
              }
            : {}
        }
      />
    </div>
  );
}

function Cards<Row extends { id: string }>({
  rows,
  card,
  onOpen,
  opened,
  rowActions,
  rowClass,
  chosen,
  setChosen,
  onHold,
  tapChooses,
}: ResourceListProps<Row> & {
  rows: Row[];
  chosen: readonly Row[];
  setChosen?: (rows: readonly Row[]) => void;
  /** A finger rests on the row. */
  onHold?: (row: Row) => void;
  /** In place of opening a row, a tap chooses it. */
  tapChooses?: boolean;
}) {
  const { t } = useTranslation();
  const press = useLongPress(onHold);
  const isChosen = (row: Row) => chosen.some(({ id }) => id === row.id);
  const choose = (row: Row) =>
    setChosen?.(isChosen(row) ? chosen.filter(({ id }) => id !== row.id) : [...chosen, row]);
  return (
    <ul className="x-cards">
      {rows.map((row) => {
        const { title, state, meta } = card(row);
        return (
          <li
            key={row.id}
            className={['x-panel x-card', setChosen && 'x-card-choice', rowClass?.(row)]
              .filter(Boolean)
              .join(' ')}
            data-row-key={row.id}
            aria-current={row.id === opened || undefined}
            {...press(row)}
          >
            {setChosen && (
              <Checkbox
                aria-label={t('kit.list.choose')}
                checked={isChosen(row)}
                onChange={() => choose(row)}
              />
            )}
            {onOpen ? (
              <button
                type="button"
                className="x-card-open x-two"
                onClick={() => (tapChooses ? choose(row) : onOpen(row))}
              >
                {title}
              </button>
            ) : (
              <strong className="x-two">{title}</strong>
            )}
            <span className="x-card-state">
              {state}
              {!tapChooses && <MoreMenu actions={rowActions?.(row) ?? []} card />}
            </span>
            {meta.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a card keep their places
              <div key={index} className="x-card-meta">
                {line}
              </div>
            ))}
          </li>
        );
      })}
    </ul>
  );
}
