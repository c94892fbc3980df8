/** A list of rows from the server: title, filters, table or cards, paging; one component for every list of the console. */
import { MoreOutlined } from '@ant-design/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Dropdown, Pagination, Table, type TableProps } from 'antd';
import { type ReactNode, useEffect } from 'react';
import type { Params } from '@/api/client';
import type { Page } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { type Filter, FilterBar, FilterChips, namesOf } from './filters';
import { type ListControl, PAGE_SIZES, useListState } from './listState';
import { EmptyState, ErrorState, PageSkeleton } from './states';
import { usePhone } from './width';

export interface Column<Row> {
  /** The field, and the name sent for sorting. */
  key: Extract<keyof Row, string>;
  title: string;
  width: number;
  sortable?: boolean;
  /** Names wrap to two lines; codes, numbers and states must not. */
  nowrap?: boolean;
  align?: 'end';
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

interface ResourceListProps<Row> {
  /** First part of the query key, which actions invalidate; also names the list in storage. */
  name: string;
  title: string;
  load: (params: Params, signal: AbortSignal) => Promise<Page<Row>>;
  /** Sent with every request, but not the reader's to change. */
  fixed?: Params;
  columns: readonly Column<Row>[];
  card: (row: Row) => Card;
  filters?: readonly Filter[];
  /** So many filters stand in sight; the others are behind "more". */
  inline?: number;
  /** The main action, at the right of the title. */
  action?: ReactNode;
  /** The first two stand in sight, the rest under "more". What the person may not do is left out by the caller. */
  rowActions?: (row: Row) => readonly RowAction[];
  onOpen?: (row: Row) => void;
  /** Why there is nothing and the first step, when no filter is set. */
  empty?: { title: string; hint?: string; action?: ReactNode };
  /** Seconds between two looks, for lists that others fill. */
  poll?: number;
}

const SIGHT = 2;

export function ResourceList<Row extends { id: string }>(props: ResourceListProps<Row>) {
  const { name, title, load, fixed, filters = [], inline = 4, action, poll } = props;
  const { t } = useTranslation();
  const phone = usePhone();
  const list = useListState(name, filters.flatMap(namesOf));
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
    placeholderData: keepPreviousData,
    refetchInterval: poll && poll * 1000,
  });

  // The last row of the last page was removed, or the address names a page that is no more.
  const { setPage, size } = list;
  const past = data && !isPlaceholderData && data.records.length === 0 ? Math.ceil(data.total / size) : 0;
  useEffect(() => {
    if (past > 0) setPage(past, size);
  }, [past, setPage, size]);

  let body: ReactNode;
  if (error && (!data || isPlaceholderData)) body = <ErrorState error={error} retry={refetch} />;
  else if (!data) body = <PageSkeleton rows={8} />;
  else if (data.total === 0)
    body = <Nothing {...props} filtered={Object.keys(list.filters).length > 0} list={list} />;
  else if (phone) body = <Cards {...props} rows={data.records} />;
  else body = <Rows {...props} rows={data.records} list={list} />;

  return (
    <section aria-label={title}>
      <div className="x-head">
        <h1>{title}</h1>
        {data && (
          <span className="x-head-count">{t('kit.list.count', { n: data.total.toLocaleString() })}</span>
        )}
        {action && <div className="x-head-actions">{action}</div>}
      </div>
      <FilterBar filters={filters} list={list} inline={inline} />
      <FilterChips filters={filters} list={list} />
      <div className={phone ? 'x-rows' : 'x-rows x-panel'} aria-busy={isPlaceholderData && !error}>
        {body}
        {data && data.total > 0 && (
          <div className="x-paging">
            <Pagination
              current={list.current}
              pageSize={list.size}
              total={data.total}
              onChange={list.setPage}
              simple={phone}
              showSizeChanger={!phone}
              pageSizeOptions={[...PAGE_SIZES]}
              responsive={false}
            />
          </div>
        )}
      </div>
    </section>
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

function RowActions({ actions }: { actions: readonly RowAction[] }) {
  // One lonely entry under "more" would cost a click for nothing.
  const sight = actions.length === SIGHT + 1 ? SIGHT + 1 : SIGHT;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: only keeps the buttons' clicks from opening the row
    // biome-ignore lint/a11y/noStaticElementInteractions: same
    <div className="x-row-actions" onClick={(event) => event.stopPropagation()}>
      {actions.slice(0, sight).map(({ key, label, danger, onClick }) => (
        <Button key={key} type="link" danger={danger} onClick={onClick}>
          {label}
        </Button>
      ))}
      <MoreMenu actions={actions.slice(sight)} />
    </div>
  );
}

function shown(value: unknown): ReactNode {
  return value === null || value === undefined || value === '' ? '-' : String(value);
}

function Rows<Row extends { id: string }>({
  columns,
  rows,
  list,
  onOpen,
  rowActions,
}: ResourceListProps<Row> & { rows: Row[]; list: ListControl }) {
  const { t } = useTranslation();
  const table: NonNullable<TableProps<Row>['columns']> = columns.map((column, index) => ({
    key: column.key,
    title: column.title,
    width: column.width,
    align: column.align,
    fixed: index === 0 ? 'start' : undefined,
    sorter: column.sortable,
    sortOrder: list.sort?.key === column.key ? (list.sort.descending ? 'descend' : 'ascend') : null,
    render: (_, row) => {
      const content = column.render ? column.render(row) : shown(row[column.key]);
      const hint = typeof content === 'string' && !column.nowrap ? content : undefined;
      return (
        <div className={column.nowrap ? 'x-nowrap' : 'x-two'} title={hint}>
          {content}
        </div>
      );
    },
  }));
  if (rowActions && rows.some((row) => rowActions(row).length > 0)) {
    table.push({
      key: 'actions',
      title: t('kit.actions'),
      fixed: 'end',
      width: 150,
      render: (_, row) => <RowActions actions={rowActions(row)} />,
    });
  }
  return (
    <Table<Row>
      rowKey="id"
      size="middle"
      columns={table}
      dataSource={rows}
      pagination={false}
      sticky={{
        offsetHeader:
          Number.parseInt(getComputedStyle(document.documentElement).getPropertyValue('--x-top'), 10) || 0,
      }}
      scroll={{ x: table.reduce((sum, column) => sum + Number(column.width), 0) }}
      showSorterTooltip={false}
      onChange={(_paging, _filters, sorter) => {
        const chosen = Array.isArray(sorter) ? sorter[0] : sorter;
        list.setSort(chosen?.order ? String(chosen.columnKey) : undefined, chosen?.order === 'descend');
      }}
      onRow={(row) =>
        onOpen
          ? {
              className: 'x-row',
              tabIndex: 0,
              onClick: () => onOpen(row),
              onKeyDown: (event) => {
                if (event.key === 'Enter' && event.target === event.currentTarget) onOpen(row);
              },
            }
          : {}
      }
    />
  );
}

function Cards<Row extends { id: string }>({
  rows,
  card,
  onOpen,
  rowActions,
}: ResourceListProps<Row> & { rows: Row[] }) {
  return (
    <ul className="x-cards">
      {rows.map((row) => {
        const { title, state, meta } = card(row);
        return (
          <li key={row.id} className="x-panel x-card">
            {onOpen ? (
              <button type="button" className="x-card-open x-two" onClick={() => onOpen(row)}>
                {title}
              </button>
            ) : (
              <strong className="x-two">{title}</strong>
            )}
            <span className="x-card-state">
              {state}
              <MoreMenu actions={rowActions?.(row) ?? []} card />
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
