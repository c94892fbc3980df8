/** The counter of an asset: its totals, its readings over time, and a new reading. */
import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import { meterreading } from '@/api/nouns/meterreading';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Facts } from '@/kit/Facts';
import { Section } from '@/kit/Section';
import { ToneTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { exact } from '@/lib/money';
import { useCan, useCanOpen } from '@/session/rights';
import { SCRAPPED } from './ChangeState';
import { MeterChart, type Point } from './MeterChart';
import { AddReading, type Reading } from './ReadingFields';

const READINGS = '/equip/meterreading';
const [CHARTED, LISTED] = [200, 3];

/** The running total at each reading, in the order of time: a new counter goes on where the old one ended. */
function totals(newestFirst: readonly Reading[], total: number): Point[] {
  let left = total;
  const points = newestFirst.map(({ id, readTime, value, delta, isReset }) => {
    const point = { id, time: readTime, total: left, value, isReset: isReset === 1 };
    left -= delta ?? 0;
    return point;
  });
  return points.reverse();
}

export function MachineMeter({ machine }: { machine: Wire<'MachineCard'> }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const seesList = useCanOpen(READINGS);
  const mayAdd = useCan('meterreading_add');
  const mayView = useCan('meterreading_view');
  const { data } = useQuery({
    queryKey: [meterreading.name, 'of machine', machine.id],
    queryFn: ({ signal }) =>
      api.get('/yuzhu-equip/meterreading/list', { machineId: machine.id, size: CHARTED }, signal),
    enabled: mayView,
  });
  if (!mayView || !data) return null;
  const { records, total } = data;
  const unit = machine.meterUnitName;
  const reads = mayAdd && machine.runState !== SCRAPPED && machine.isSealed !== 1;
  if (total === 0 && !reads) return null;
  return (
    <Section
      title={t('machines.meter.title')}
      action={
        <span className="x-marks">
          {seesList && total > LISTED && (
            <Link to={`${READINGS}?machineId=${machine.id}`}>
              <Button type="link">{t('machines.meter.all', { count: total })}</Button>
            </Link>
          )}
          {reads && (
            <Button icon={<PlusOutlined />} onClick={() => setOpen(true)}>
              {t('machines.meter.add')}
            </Button>
          )}
        </span>
      }
    >
      {total === 0 ? (
        <p className="x-quiet">{t('machines.meter.none')}</p>
      ) : (
        <>
          <Facts
            items={[
              { label: t('machines.meter.total'), value: `${exact(machine.runHours, 1)} ${unit}` },
              {
                label: t('machines.meter.daily'),
                value:
                  machine.avgDailyHours === null
                    ? null
                    : t('machines.meter.aDay', { value: exact(machine.avgDailyHours, 1), unit }),
              },
              { label: t('machines.meter.lastTime'), value: moment(machine.lastReadTime) },
            ]}
          />
          <MeterChart unit={unit} points={totals(records, machine.runHours)} />
          <ul className="x-plain">
            {records.slice(0, LISTED).map((row) => (
              <li key={row.id} className="x-line">
                <div>
                  <span className="x-nowrap">{moment(row.readTime)}</span>
                  <span className="x-quiet"> {row.userName}</span>
                </div>
                <span className="x-line-end">
                  <span className="x-nowrap">
                    {row.isReset === 1 && <ToneTag tone="waiting">{t('machines.meter.reset')}</ToneTag>}{' '}
                    {typeof row.delta === 'number' && (
                      <span className="x-quiet">+{exact(row.delta, 1)} </span>
                    )}
                    {exact(row.value, 1)} {unit}
                  </span>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {open && <AddReading machine={machine} last={records[0]} onClose={() => setOpen(false)} />}
    </Section>
  );
}
