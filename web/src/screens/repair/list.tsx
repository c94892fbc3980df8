/** Repair orders as a list: who has it, what it waits for, what is late. */
import type { RowOf } from '@/api/noun';
import { repairorder } from '@/api/nouns/repairorder';
import { useTranslation } from '@/i18n';
import { useLabels } from '@/kit/nounText';
import { Parts } from '@/kit/Parts';
import { StateTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { useClassNodes } from '@/screens/shared/classes';
import { useMachineNodes } from '@/screens/shared/machines';
import { AgainMarks, LateMarks } from '@/screens/shared/orderMarks';
import { underDept } from '@/screens/shared/orders';
import { ReportButton } from '@/screens/shared/ReportButton';
import { useCan } from '@/session/rights';
import { listOf } from '@/workflow/cases/screen';

/** By when the next thing must have happened: the acceptance, then the finish; empty when both have. */
const next = ({ finishTime, closeTime, acceptTime, finishDue, responseDue }: RowOf<typeof repairorder>) =>
  finishTime || closeTime ? '' : moment(acceptTime ? finishDue : responseDue);

export function useOrderList() {
  const { t } = useTranslation();
  const label = useLabels(repairorder);
  const mayReport = useCan('repairorder_add');
  const machines = useMachineNodes(undefined, t('repair.scrapped'));
  const classes = useClassNodes(false);
  return listOf(repairorder, {
    name: 'orders',
    begins: 'open',
    inline: 4,
    action: <ReportButton />,
    noneHint: t(mayReport ? 'repair.emptyHint' : 'repair.emptyNoRight'),
    marks: (row) => (
      <>
        <LateMarks order={row} />
        <AgainMarks order={row} />
      </>
    ),
    columns: [
      { key: 'orderNo', width: 145, nowrap: true },
      { key: 'title', width: 150 },
      { key: 'machineName', width: 130 },
      { key: 'statusName', width: 150 },
      {
        key: 'urgencyName',
        width: 80,
        nowrap: true,
        render: (row) => <StateTag dict="repair_urgency" value={row.urgency} text={row.urgencyName} grade />,
      },
      { key: 'waitingFor', width: 130 },
      {
        key: 'reportTime',
        width: 140,
        render: (row) => (
          <>
            {row.reportUserName}
            <div className="x-quiet">{moment(row.reportTime)}</div>
          </>
        ),
      },
      { key: 'repairUserName', width: 95 },
      { key: 'teamName', width: 110, extra: true },
      {
        key: 'finishDue',
        title: t('repair.due'),
        width: 150,
        nowrap: true,
        extra: true,
        render: (row) => next(row) || '-',
      },
      { key: 'stopMinutes', width: 120, extra: true },
      { key: 'totalCost', width: 120, nowrap: true, extra: true, render: (row) => yuan(row.totalCost) },
    ],
    filters: [
      { kind: 'text', name: 'keyword', label: t('repair.keyword') },
      'status',
      { kind: 'flag', name: 'mine', label: t('repair.mine') },
      { kind: 'flag', name: 'overdue', label: t('repair.overdue') },
      { kind: 'flag', name: 'dueSoon', label: t('repair.dueSoon') },
      'urgency',
      { kind: 'tree', name: 'machineId', label: label('machineId'), nodes: machines ?? [] },
      { kind: 'tree', name: 'typeId', label: t('repair.machineClass'), nodes: classes ?? [] },
      'repairType',
      'repairUserId',
      'reportUserId',
      'teamId',
      'deptId',
      underDept(t('repair.underDept')),
      'source',
      { kind: 'flag', name: 'isStop', label: t('repair.stopped') },
      { kind: 'flag', name: 'isRepeat', label: t('repair.repeat') },
      { kind: 'dates', name: 'createTime', label: label('reportTime') },
      { kind: 'month', name: 'period', label: t('repair.period') },
    ],
    card: (row) => ({
      title: row.title,
      meta: [
        <span key="where" className="x-marks">
          <LateMarks order={row} />
          {row.urgency < 3 && (
            <StateTag dict="repair_urgency" value={row.urgency} text={row.urgencyName} grade />
          )}
          <AgainMarks order={row} />
          {row.orderNo} · {row.machineCode}
        </span>,
        <Parts
          key="when"
          of={[next(row) && `${t('repair.due')} ${next(row)}`, row.waitingFor]}
          at={next(row) ? undefined : row.reportTime}
        />,
      ],
    }),
  });
}
