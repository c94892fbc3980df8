/** When assets stand: a row for each asset, a column for each day of a month. */
import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input, Pagination, TreeSelect } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import { inspectrestlog } from '@/api/nouns/inspectrestlog';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Minutes, useDuration } from '@/kit/Minutes';
import { EmptyState, ErrorState, PageSkeleton } from '@/kit/states';
import { useDebounced } from '@/kit/useDebounced';
import { useMachineNodes } from '@/screens/shared/machines';
import { useEntry } from '@/session/rights';
import './stoptable.css';

const HERE = '/equip/stoptable';
const MACHINES = '/equip/machine';
const SIZE = 50;
const HOUR = 60;

type Cell = Wire<'Cell'>;

/** Hours in one or two signs; less than half an hour is a point. */
function short(minutes: number): string {
  const hours = Math.round(minutes / HOUR);
  return hours === 0 ? '·' : String(hours);
}

/** Where days do not fit, the present one comes into sight. */
function toToday(box: HTMLElement | null) {
  const head = box?.querySelector<HTMLElement>('th[data-today]');
  if (box && head) box.scrollLeft = head.offsetLeft - box.clientWidth + 2 * head.offsetWidth;
}

export default function StoppageTable() {
  const { t } = useTranslation();
  const words = useDuration();
  const entry = useEntry(HERE);
  const nodes = useMachineNodes();
  const [asked, setAsked] = useSearchParams();
  const month = asked.get('month') ?? dayjs().format('YYYY-MM');
  const parentId = asked.get('parentId') ?? undefined;
  const onlyStopped = asked.get('onlyStopped') === '1' ? 1 : 0;
  const current = Number(asked.get('current') ?? 1);
  const [typed, setTyped] = useState(asked.get('keyword') ?? '');
  const keyword = useDebounced(typed).trim();
  const set = (values: Record<string, string | undefined>) =>
    setAsked(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('current');
        for (const [name, value] of Object.entries(values)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  const query = { month, parentId, onlyStopped, keyword: keyword || undefined, current, size: SIZE };
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: [inspectrestlog.name, 'table', query],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectrestlog/equipTable', query, signal),
    placeholderData: keepPreviousData,
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  const at = dayjs(`${month}-01`);
  const show = (other: string) => set({ month: other === dayjs().format('YYYY-MM') ? undefined : other });
  const today = dayjs().format('YYYY-MM-DD');
  return (
    <div>
      <div className="x-head">
        <h1>{entry?.name}</h1>
        <div className="x-stops-months">
          <Button
            icon={<LeftOutlined />}
            aria-label={t('stoppages.table.previous')}
            onClick={() => show(at.subtract(1, 'month').format('YYYY-MM'))}
          />
          <strong>{month}</strong>
          <Button
            icon={<RightOutlined />}
            aria-label={t('stoppages.table.next')}
            onClick={() => show(at.add(1, 'month').format('YYYY-MM'))}
          />
          <Button onClick={() => show(dayjs().format('YYYY-MM'))}>{t('stoppages.table.current')}</Button>
        </div>
      </div>
      <div className="x-stops-filters">
        <Input.Search
          allowClear
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          placeholder={t('stoppages.table.search')}
          aria-label={t('stoppages.table.search')}
        />
        <TreeSelect
          allowClear
          value={parentId}
          treeData={nodes}
          fieldNames={{ label: 'label', value: 'key', children: 'children' }}
          showSearch={{ treeNodeFilterProp: 'label' }}
          loading={!nodes}
          placeholder={t('stoppages.table.area')}
          aria-label={t('stoppages.table.area')}
          onChange={(value?: string) => set({ parentId: value })}
        />
        <Checkbox
          checked={onlyStopped === 1}
          onChange={(event) => set({ onlyStopped: event.target.checked ? '1' : undefined })}
        >
          {t('stoppages.table.onlyStopped')}
        </Checkbox>
      </div>
      {!data ? (
        <PageSkeleton rows={12} />
      ) : (
        <>
          <p className="x-quiet">
            {data.summary.machines === 0
              ? t('stoppages.table.nothing')
              : t('stoppages.table.sum', {
                  machines: data.summary.machines,
                  total: words(data.summary.totalMinutes),
                  planned: words(data.summary.plannedMinutes),
                  fault: words(data.summary.faultMinutes),
                })}
          </p>
          <ul className="x-stops-types">
            {data.summary.byType.map((one) => (
              <li key={one.type}>
                <span className={`x-stop x-stop-${one.type}`} aria-hidden />
                {one.typeName} <Minutes value={one.minutes} />
              </li>
            ))}
          </ul>
          {data.records.length === 0 ? (
            <EmptyState title={t('stoppages.table.none')} hint={t('stoppages.table.noneHint')} />
          ) : (
            <section
              key={data.days[0]}
              ref={toToday}
              className="x-stops-scroll"
              aria-label={entry?.name}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
              tabIndex={0}
              data-dimmed={isPlaceholderData || undefined}
            >
              <table>
                <caption className="x-sr">{t('stoppages.table.caption', { month })}</caption>
                <thead>
                  <tr>
                    <th scope="col">{t('stoppages.table.machine')}</th>
                    {data.days.map((day) => (
                      <th key={day} scope="col" data-today={day === today || undefined}>
                        {Number(day.slice(8))}
                      </th>
                    ))}
                    <th scope="col">{t('stoppages.table.total')}</th>
                  </tr>
                </thead>
                <tbody>
                  {data.records.map((row) => {
                    const cells = new Map(row.cells.map((cell) => [cell.date, cell]));
                    return (
                      <tr key={row.machineId}>
                        <th scope="row">
                          <Link to={`${MACHINES}/${row.machineId}`}>{row.machineName}</Link>
                          <span className="x-hint">{row.machineCode}</span>
                        </th>
                        {data.days.map((day) => (
                          <Day
                            key={day}
                            cell={cells.get(day)}
                            machine={row.machineId}
                            name={row.machineName}
                          />
                        ))}
                        <td className="x-nowrap">
                          {row.totalMinutes > 0 ? <Minutes value={row.totalMinutes} /> : '-'}
                        </td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </section>
          )}
          {data.total > SIZE && (
            <Pagination
              current={data.current}
              pageSize={SIZE}
              total={data.total}
              showSizeChanger={false}
              onChange={(page) => set({ current: String(page) })}
            />
          )}
        </>
      )}
    </div>
  );
}

/** A day of an asset: the type by colour, the hours as a number, all of it in words; it leads to the stoppages. */
function Day({ cell, machine, name }: { cell: Cell | undefined; machine: string; name: string }) {
  const { t } = useTranslation();
  const words = useDuration();
  if (!cell) return <td />;
  const time = cell.full ? t('stoppages.table.full') : words(cell.minutes);
  const said = t('stoppages.table.cell', { date: cell.date, type: cell.typeName, time });
  const query = new URLSearchParams({ machineId: machine });
  return (
    <td>
      <Link
        className={`x-stop x-stop-${cell.type}`}
        to={`/equip/stoppage?${query}`}
        title={cell.orderNo ? `${said} ${cell.orderNo}` : said}
      >
        <span className="x-sr">{`${name} ${said}`}</span>
        <span aria-hidden>{short(cell.minutes)}</span>
      </Link>
    </td>
  );
}
