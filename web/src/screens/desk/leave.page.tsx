/** All requests for leave that one may read: who is away when, and where each stands. */
import { useNavigate } from 'react-router';
import { leave } from '@/api/cases/leave';
import { api } from '@/api/client';
import { leaverecord } from '@/api/nouns/leaverecord';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { useFilters } from '@/kit/nounFilters';
import { labelIn, useLabels } from '@/kit/nounText';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import type { Tone } from '@/kit/tones';
import { ExportButton } from '@/kit/useNoun';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { useCan } from '@/session/rights';

type Record = Wire<'LeaveRecord'>;

const LIST = '/desk/leave';
/** Nobody but its writer reads a draft. */
const SENT = leave.statuses.slice(1);

function State({ row }: { row: Record }) {
  const tone = SENT.find(([value]) => value === row.status)?.[3] ?? 'quiet';
  return <ToneTag tone={tone as Tone}>{row.statusName}</ToneTag>;
}

export default function LeaveRecords() {
  const { t } = useTranslation();
  const language = useLanguage();
  const phone = usePhone();
  const navigate = useNavigate();
  const mayExport = useCan('leaverecord_export');
  const label = useLabels(leaverecord);
  const filters = useFilters(leaverecord, [
    'userId',
    'deptId',
    'type',
    {
      kind: 'select',
      name: 'status',
      label: label('status'),
      multiple: true,
      options: SENT.map(([value, zh, en]) => ({ value: String(value), label: labelIn(language, [zh, en]) })),
    },
    // Whoever is away in these days: ends after the first of them and begins before the last is over.
    {
      kind: 'dates',
      name: 'during',
      label: t('leave.during'),
      bounds: ['endTime_dategt', 'startTime_datelt'],
    },
  ]);
  const time = (key: 'startTime' | 'endTime' | 'applyTime'): Column<Record> => ({
    key,
    title: label(key),
    width: 150,
    nowrap: true,
    sortable: true,
    render: (row) => moment(row[key]),
  });
  const columns: Column<Record>[] = [
    { key: 'leaveNo', title: label('leaveNo'), width: 145, nowrap: true },
    { key: 'userName', title: label('userId'), width: 100 },
    { key: 'deptName', title: label('deptId'), width: 130 },
    { key: 'type', title: label('type'), width: 90, sortable: true, render: (row) => row.typeName },
    time('startTime'),
    time('endTime'),
    { key: 'days', title: label('days'), width: 90, align: 'end', sortable: true },
    {
      key: 'status',
      title: label('status'),
      width: 135,
      sortable: true,
      render: (row) => <State row={row} />,
    },
    { key: 'waitingFor', title: label('waitingFor'), width: 160 },
    time('applyTime'),
  ];
  return (
    <ResourceList<Record>
      name="leaverecord"
      title={t('app.pages.leaves')}
      load={(query, signal) => api.list('/blade-desk/leaverecord/list', query, signal)}
      columns={columns}
      filters={filters}
      inline={5}
      action={(params) => mayExport && !phone && <ExportButton noun={leaverecord} params={params} />}
      card={(row) => ({
        title: `${row.userName} · ${row.typeName} ${t('leave.days', { count: row.days ?? 0 })}`,
        state: <State row={row} />,
        meta: [
          `${moment(row.startTime)} – ${moment(row.endTime)}`,
          [row.deptName, row.waitingFor].filter(Boolean).join(' · '),
        ],
      })}
      onOpen={(row) => navigate(`${LIST}/${row.id}`)}
      addressOf={(row) => `${LIST}/${row.id}`}
      empty={{ title: t('leave.none'), hint: t('leave.noneHint') }}
    />
  );
}
