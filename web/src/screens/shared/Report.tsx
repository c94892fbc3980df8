/** A report that the server counts: its filters, its rows with their sum, and the same as a workbook, a PDF, an address. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { App, Button, Pagination, Segmented, Select, Table, type TableProps } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { FilePath, Params } from '@/api/calls';
import { api } from '@/api/client';
import type { Page, Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { type Filter, FilterBar, FilterChips, namesOf, useChosen } from '@/kit/filters';
import { type ListControl, PAGE_SIZES, useListState } from '@/kit/listState';
import { useDuration } from '@/kit/Minutes';
import { EmptyState, ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { moment, toWire } from '@/lib/dates';
import { exact, yuan } from '@/lib/money';
import { save } from '@/lib/save';
import { useSession } from '@/session/session';
import './report.css';

export type ReportColumn = Wire<'Column'>;
export type ReportRow = Readonly<Record<string, string | number | null>>;

/** A page of a report, with the sum of all rows. */
export interface ReportPage extends Page<ReportRow> {
  columns: readonly ReportColumn[];
  summary: ReportRow;
  from: string;
  to: string;
  asOf?: string;
  frozenOn?: string | null;
}

interface ReportProps {
  /** First part of the query's key, and what the page size is remembered for. */
  name: string;
  title: string;
  /** The field that tells rows apart. */
  rowKey: string;
  load: (groupBy: string, params: Params, signal?: AbortSignal) => Promise<ReportPage>;
  /** The call that answers the workbook; without, whoever looks may not export. */
  file?: (groupBy: string) => FilePath;
  filters: readonly Filter[];
  /** What the rows are, kept in the address as `groupBy`; the first one is the usual one. */
  groups: readonly { value: string; label: string }[];
  note?: ReactNode;
  /** Under the head: other views of the same. */
  tabs?: ReactNode;
  /** Shows the records behind a figure; of the sum without a row. */
  /** Where the row's own page is. */
  rowLink?: (row: ReportRow) => string | undefined;
  onFigure?: (column: ReportColumn, row: ReportRow | undefined, asked: Params, groupBy: string) => void;
}

const MOST = 200;
const TEXT = 'text';

/** How a value of a kind is written. */
export function useShown(): (column: ReportColumn, row: ReportRow) => string {
  const { t } = useTranslation();
  const words = useDuration();
  return ({ key, kind }, row) => {
    const value = row[key];
    if (kind === 'hours' && typeof value !== 'number' && typeof row.upMinutes === 'number')
      return row.upMinutes > 0
        ? t('reports.atLeast', { n: Math.floor(row.upMinutes / 60).toLocaleString('en-US') })
        : '-';
    if (typeof value !== 'number') return value || '-';
    switch (kind) {
      case 'minutes':
        return words(value);
      case 'hours':
        return t('reports.hours', { n: value.toLocaleString('en-US') });
      case 'percent':
        return `${value}%`;
      case 'money':
        return yuan(value);
      case 'quantity':
        return exact(value, Number.isInteger(value) ? 0 : 3);
      default:
        return value.toLocaleString('en-US');
    }
  };
}

const NO_MONTH = { year: '', month: '' };
const NO_DAYS = { startDate: '', endDate: '' };

/** A report is of a reporting month or of some days: who chooses one takes the other off, which would count no more. */
function useOnePeriod(list: ListControl): ListControl {
  return useMemo(
    () => ({
      ...list,
      setFilters: (change) =>
        list.setFilters({
          ...(change.startDate && NO_MONTH),
          ...(change.year && NO_DAYS),
          ...change,
        }),
    }),
    [list],
  );
}

export function Report(props: ReportProps) {
  const { name, title, rowKey, load, file, filters, groups, note, tabs, rowLink, onFigure } = props;
  const { t } = useTranslation();
  const { message } = App.useApp();
  const phone = usePhone();
  const session = useSession();
  const shown = useShown();
  const list = useOnePeriod(useListState(name, filters.flatMap(namesOf)));
  const order = { [list.sort?.descending ? 'descs' : 'ascs']: list.sort?.key };
  const [address, setAddress] = useSearchParams();
  const groupBy =
    groups.find(({ value }) => value === address.get('groupBy'))?.value ?? groups[0]?.value ?? '';
  const group = (value: string) =>
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        for (const name of ['current', 'ascs', 'descs', 'groupBy']) next.delete(name);
        if (value !== groups[0]?.value) next.set('groupBy', value);
        return next;
      },
      { replace: true },
    );
  const asked: Params = { ...list.filters, ...order };
  const params: Params = { ...asked, current: list.current, size: list.size };
  const { data, error, isPlaceholderData, refetch } = useQuery({
    queryKey: [name, 'report', groupBy, params],
    queryFn: ({ signal }) => load(groupBy, params, signal),
    // Rows of another grouping have other columns.
    placeholderData: (before, query) =>
      query?.queryKey[2] === groupBy ? keepPreviousData(before) : undefined,
  });
  const [busy, setBusy] = useState<'excel' | 'pdf'>();
  const [failed, setFailed] = useState<unknown>();
  const make = async (kind: 'excel' | 'pdf', run: () => Promise<{ blob: Blob; name: string }>) => {
    setBusy(kind);
    setFailed(undefined);
    try {
      save(await run());
    } catch (problem) {
      setFailed(problem);
    }
    setBusy(undefined);
  };
  const told = useChosen(filters, list);
  const pdf = async () => {
    const rows: ReportRow[] = [];
    let page: ReportPage;
    do {
      page = await load(groupBy, { ...asked, current: rows.length / MOST + 1, size: MOST });
      rows.push(...page.records);
    } while (page.records.length === MOST && rows.length < page.total);
    const { columns, summary, from, to } = page;
    const { reportPdf } = await import('./reportPdf');
    const now = toWire(dayjs()) ?? '';
    const grouped = groups.find(({ value }) => value === groupBy)?.label ?? '';
    const chosen = await told();
    const texts = (row: ReportRow) => columns.map((column) => shown(column, row));
    const blob = await reportPdf({
      title,
      about: [t('reports.from', { from, to }), grouped, ...chosen].filter(Boolean),
      heads: columns.map((column) => column.title),
      numeric: columns.map(({ kind }) => kind !== TEXT),
      rows: rows.map(texts),
      sum: [t('reports.sum'), ...texts(summary).slice(1)].map((text, at) =>
        at > 0 && columns[at]?.kind === TEXT ? '' : text,
      ),
      foot: [session?.tenantName, t('reports.made', { name: session?.realName ?? '', time: moment(now) })]
        .filter(Boolean)
        .join(' · '),
    });
    return { blob, name: `${title} ${from}~${to}.pdf` };
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      message.success(t('reports.copied'));
    } catch {
      // Clipboards need a secure origin, which a console inside a plant often has not.
      message.warning(t('reports.copyFailed'));
    }
  };
  const figure = (column: ReportColumn, row: ReportRow, ofSum = false) => {
    const text = shown(column, row);
    const to = !ofSum && column.key === data?.columns[0]?.key && rowLink?.(row);
    if (to) return <Link to={to}>{text}</Link>;
    // Behind nothing, and behind a bound that was never reached, there are no records.
    if (!column.figure || !onFigure || !row[column.key]) return text;
    return (
      <Button
        type="link"
        className="x-report-figure"
        aria-label={`${text} ${t('reports.opens', { row: ofSum ? t('reports.sum') : String(row.name), figure: column.title })}`}
        onClick={() => onFigure(column, ofSum ? undefined : row, list.filters, groupBy)}
      >
        {text}
      </Button>
    );
  };
  const tableColumns = (page: ReportPage): TableProps<ReportRow>['columns'] =>
    page.columns.map((column, at) => ({
      key: column.key,
      dataIndex: column.key,
      title: column.title,
      align: column.kind === TEXT ? undefined : 'right',
      fixed: at === 0 ? 'left' : undefined,
      width: column.kind === TEXT ? 150 : 112,
      sorter: true,
      sortOrder: list.sort?.key === column.key ? (list.sort.descending ? 'descend' : 'ascend') : null,
      render: (_: unknown, row: ReportRow) => figure(column, row),
    }));
  let body: ReactNode;
  if (error && (!data || isPlaceholderData)) body = <ErrorState error={error} retry={refetch} />;
  else if (!data) body = <PageSkeleton rows={8} />;
  else if (data.total === 0) body = <EmptyState title={t('reports.none')} hint={t('reports.noneHint')} />;
  else if (phone)
    body = (
      <ul className="x-report-cards">
        {[...data.records, data.summary].map((row, at) => {
          const ofSum = at === data.records.length;
          const [first, ...rest] = data.columns;
          return (
            <li key={ofSum ? 'sum' : row[rowKey]} className="x-panel">
              <strong>{ofSum ? t('reports.sum') : first && figure(first, row)}</strong>
              <dl>
                {rest
                  .filter(({ kind, key }) => (kind === TEXT ? !ofSum && row[key] : row[key] !== 0))
                  .map((column) => (
                    <div key={column.key}>
                      <dt>{column.title}</dt>
                      <dd>{figure(column, row, ofSum)}</dd>
                    </div>
                  ))}
              </dl>
            </li>
          );
        })}
      </ul>
    );
  else
    body = (
      <Table<ReportRow>
        size="middle"
        rowKey={rowKey}
        columns={tableColumns(data)}
        dataSource={data.records}
        pagination={false}
        scroll={{ x: 'max-content' }}
        showSorterTooltip={false}
        onChange={(_page, _filters, sorter) => {
          const one = Array.isArray(sorter) ? sorter[0] : sorter;
          list.setSort(one?.order ? String(one.columnKey) : undefined, one?.order === 'descend');
        }}
        summary={() => (
          <Table.Summary.Row className="x-report-sum">
            {data.columns.map((column, at) => (
              <Table.Summary.Cell
                key={column.key}
                index={at}
                align={column.kind === TEXT ? undefined : 'right'}
              >
                {at === 0 ? t('reports.sum') : column.kind === TEXT ? '' : figure(column, data.summary, true)}
              </Table.Summary.Cell>
            ))}
          </Table.Summary.Row>
        )}
      />
    );
  return (
    <section aria-label={title}>
      <div className="x-head">
        <h1>{title}</h1>
        {data && <span className="x-head-count">{t('reports.from', { from: data.from, to: data.to })}</span>}
        <div className="x-head-actions">
          <Button onClick={copy}>{t('reports.link')}</Button>
          {file && (
            <>
              <Button loading={busy === 'pdf'} onClick={() => make('pdf', pdf)}>
                {t('reports.pdf')}
              </Button>
              <Button
                loading={busy === 'excel'}
                onClick={() => make('excel', () => api.download(file(groupBy), { ...asked, groupBy }))}
              >
                {t('reports.excel')}
              </Button>
            </>
          )}
        </div>
      </div>
      {tabs}
      <div className="x-report-groups">
        {phone ? (
          <Select aria-label={t('reports.groupBy')} value={groupBy} options={[...groups]} onChange={group} />
        ) : (
          <Segmented
            aria-label={t('reports.groupBy')}
            value={groupBy}
            options={[...groups]}
            onChange={group}
          />
        )}
      </div>
      {Boolean(failed) && <ErrorLine error={failed} />}
      <FilterBar filters={filters} list={list} inline={6} />
      <FilterChips filters={filters} list={list} />
      <p className="x-quiet" role="status">
        {[
          data?.frozenOn && t('reports.frozen', { date: data.frozenOn }),
          data?.asOf && !data.frozenOn && t('reports.asOf', { time: moment(data.asOf) }),
        ]
          .filter(Boolean)
          .join(' ')}
      </p>
      <div className={phone ? 'x-rows' : 'x-rows x-panel'} aria-busy={isPlaceholderData && !error}>
        {body}
        {data && data.total > PAGE_SIZES[0] && (
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
      {note && <p className="x-quiet">{note}</p>}
    </section>
  );
}
