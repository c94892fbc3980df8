/** Repair orders as a list: who has it, what it waits for, what is late. */
import { repairorder } from '@/api/nouns/repairorder';
import { useTranslation } from '@/i18n';
import { useLabels } from '@/kit/nounText';
import { StateTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { useClassNodes } from '@/screens/shared/classes';
import { useMachineNodes } from '@/screens/shared/machines';
import { AgainMarks, LateMarks } from '@/screens/shared/orderMarks';
import { ReportButton } from '@/screens/shared/ReportButton';
import { useCan } from '@/session/rights';
import { listOf } from '@/workflow/cases/screen';

export function useOrderList() {
  const { t } = useTranslation();
  const label = useLabels(repairorder);
  const mayReport = useCan('repairorder_add');
  const machines = useMachineNodes();
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
      { key: 'title', width: 165 },
      { key: 'machineName', width: 145 },
      { key: 'statusName', width: 175 },
      {
        key: 'urgencyName',
        width: 105,
        nowrap: true,
        render: (row) => <StateTag dict="repair_urgency" value={row.urgency} text={row.urgencyName} />,
      },
      { key: 'waitingFor', width: 170 },
      {
        key: 'reportTime',
        width: 150,
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
        // By when the next thing must have happened: the acceptance, then the finish.
        key: 'finishDue',
        title: t('repair.due'),
        width: 150,
        nowrap: true,
        extra: true,
        render: (row) =>
          row.finishTime || row.closeTime ? '-' : moment(row.acceptTime ? row.finishDue : row.responseDue),
      },
      { key: 'stopMinutes', width: 120, extra: true },
      { key: 'totalCost', width: 120, nowrap: true, extra: true, render: (row) => yuan(row.totalCost) },
    ],
    filters: [
      { kind: 'text', name: 'keyword', label: t('repair.keyword') },
      'status',
      { kind: 'flag', name: 'mine', label: t('repair.mine') },
      { kind: 'flag', name: 'overdue', label: t('repair.overdue') },
      'urgency',
      { kind: 'tree', name: 'machineId', label: label('machineId'), nodes: machines ?? [] },
      { kind: 'tree', name: 'typeId', label: t('repair.machineClass'), nodes: classes ?? [] },
      'repairType',
      'repairUserId',
      'reportUserId',
      'teamId',
      'deptId',
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
          {row.orderNo} · {row.machineCode}
          {row.urgency < 3 && <StateTag dict="repair_urgency" value={row.urgency} text={row.urgencyName} />}
          <LateMarks order={row} />
          <AgainMarks order={row} />
        </span>,
        [moment(row.reportTime), row.waitingFor].filter(Boolean).join(' · '),
      ],
    }),
  });
}
