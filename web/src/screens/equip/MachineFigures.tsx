/** How reliable an asset was in the last 90 days, and what is open on it. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useDuration } from '@/kit/Minutes';
import { Section } from '@/kit/Section';
import { LIST } from '@/screens/shared/orders';

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
  const { kpi, openRepairCount, stopMinutesThisMonth } = machine;
  if (!kpi) return null;
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
