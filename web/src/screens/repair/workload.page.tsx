/** What was repaired in a period: time per person, and work by person, team, department, asset, type or symptom. */

import { useSearchParams } from 'react-router';
import type { Params } from '@/api/calls';
import { api } from '@/api/client';
import { dept } from '@/api/nouns/dept';
import { useTranslation } from '@/i18n';
import type { Filter } from '@/kit/filters';
import { CALL } from '@/screens/shared/orders';
import { Report, type ReportPage } from '@/screens/shared/Report';
import { useRights } from '@/session/rights';

const GROUPS = ['user', 'team', 'dept', 'machine', 'type', 'symptom'] as const;
/** Stands among the groups, and is a call of its own. */
const TIMES = 'times';

async function load(groupBy: string, params: Params, signal?: AbortSignal): Promise<ReportPage> {
  const page =
    groupBy === TIMES
      ? await api.list(`${CALL}/repairUserTimePage`, params, signal)
      : await api.list(`${CALL}/repairWorkloadPage`, { ...params, groupBy }, signal);
  return page as unknown as ReportPage;
}

export default function Workload() {
  const { t } = useTranslation();
  const may = useRights();
  const [address] = useSearchParams();
  const ofPeople = (address.get('groupBy') ?? TIMES) === TIMES;
  const period: Filter[] = [
    { kind: 'month', name: 'month', label: t('reports.period') },
    { kind: 'dates', name: 'days', label: t('reports.days'), bounds: ['startDate', 'endDate'], whole: true },
  ];
  const people: Filter[] = [
    { kind: 'text', name: 'keyword', label: t('reports.person') },
    {
      kind: 'reference',
      name: 'deptId',
      label: t('reports.department'),
      source: { ref: `${dept.path}/select` },
    },
  ];
  return (
    <Report
      name="repairreports"
      title={t('reports.workload.title')}
      rowKey={ofPeople ? 'userId' : 'key'}
      load={load}
      file={
        may('repairorder_export')
          ? (by) => (by === TIMES ? `${CALL}/repairUserTimeExport` : `${CALL}/repairWorkloadExport`)
          : undefined
      }
      filters={ofPeople ? [...people, ...period] : period}
      groups={[
        { value: TIMES, label: t('reports.workload.times') },
        ...GROUPS.map((value) => ({ value, label: t(`reports.workload.by.${value}`) })),
      ]}
    />
  );
}
