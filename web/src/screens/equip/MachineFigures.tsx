/** How reliable an asset was in the last 90 days, what is open on it, and what its next year may cost. */
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useDuration } from '@/kit/Minutes';
import { Section } from '@/kit/Section';
import { roughly } from '@/lib/money';
import { LIST } from '@/screens/shared/orders';
import { useCan } from '@/session/rights';
import { MACHINE } from './ChangeState';

interface Figure {
  key: string;
  label: string;
  value: ReactNode;
  /** What the figure is made of. */
  from?: ReactNode;
  isBad?: boolean;
}

const hours = (minutes: number) =>
  (minutes / 60).toLocaleString('en-US', { maximumFractionDigits: 1, minimumFractionDigits: 1 });

export function MachineFigures({
  machine,
  seesRepairs,
}: {
  machine: Wire<'MachineCard'>;
  seesRepairs: boolean;
}) {
  const { t } = useTranslation();
  const duration = useDuration();
  const seesKpi = useCan('kpi_view');
  const { data: next } = useQuery({
    queryKey: ['kpi', 'nextYear', machine.id],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/kpi/nextYear', { machineId: machine.id }, signal),
    enabled: seesKpi && machine.nodeType === MACHINE,
  });
  const { kpi, openRepairCount, stopMinutesThisMonth } = machine;
  if (!kpi) return null;
  const costOf = (estimate: Wire<'NextYear'>['estimate']): Figure => ({
    key: 'nextYear',
    label: t('machines.figures.nextYear'),
    value: estimate ? t('machines.figures.about', { amount: roughly(estimate.middle) }) : '-',
    from: estimate
      ? t('machines.figures.range', {
          low: roughly(estimate.low),
          high: roughly(estimate.high),
          count: estimate.months,
        })
      : t('machines.figures.tooFew'),
  });
  const figures: Figure[] = [
    {
      key: 'mtbf',
      label: t('machines.figures.mtbf'),
      value: kpi.mtbfHours === null ? '-' : t('machines.figures.hours', { n: kpi.mtbfHours }),
      from:
        kpi.mtbfHours === null
          ? kpi.upMinutes > 0 && t('machines.figures.noFailure', { n: hours(kpi.upMinutes) })
          : t('machines.figures.ofUp', { n: hours(kpi.upMinutes), failures: kpi.failureCount }),
    },
    {
      key: 'mttr',
      label: t('machines.figures.mttr'),
      value: duration(kpi.mttrMinutes),
      from: kpi.repairCount > 0 && t('machines.figures.ofRepairs', { count: kpi.repairCount }),
    },
    {
      key: 'availability',
      label: t('machines.figures.availability'),
      value: kpi.availability === null ? '-' : `${kpi.availability}%`,
      from: kpi.downMinutes > 0 && t('machines.figures.ofDown', { time: duration(kpi.downMinutes) }),
    },
    {
      key: 'failures',
      label: t('machines.figures.failures'),
      value: kpi.failureCount,
    },
    {
      key: 'open',
      label: t('machines.figures.open'),
      value:
        seesRepairs && openRepairCount > 0 ? (
          <Link to={`${LIST}?view=open&machineId=${machine.id}`}>{openRepairCount}</Link>
        ) : (
          openRepairCount
        ),
    },
    {
      key: 'month',
      label: t('machines.figures.month'),
      value: duration(stopMinutesThisMonth),
    },
    ...(next ? [costOf(next.estimate)] : []),
  ];
  return (
    <Section
      title={t('machines.figures.title', {
        from: kpi.windowStart,
        to: kpi.windowEnd,
      })}
    >
      <dl className="x-card-figures">
        {figures.map(({ key, label, value, from }) => (
          <div key={key} data-figure={key}>
            <dt>{label}</dt>
            <dd>{value}</dd>
            {from && <dd className="x-card-from">{from}</dd>}
          </div>
        ))}
      </dl>
    </Section>
  );
}
