/** Maintenance orders as a list: what is due when, who has it, what is overdue. */
import { Button } from 'antd';
import { Link } from 'react-router';
import { maintainorder } from '@/api/nouns/maintainorder';
import { useTranslation } from '@/i18n';
import { useLabels } from '@/kit/nounText';
import { Parts } from '@/kit/Parts';
import { yuan } from '@/lib/money';
import { useClassNodes } from '@/screens/shared/classes';
import { useMachineNodes } from '@/screens/shared/machines';
import { underDept } from '@/screens/shared/orders';
import { useCan } from '@/session/rights';
import { listOf } from '@/workflow/cases/screen';
import { Marks } from './marks';
import { NEW } from './queries';

function NewButton() {
  const { t } = useTranslation();
  if (!useCan('maintainorder_add')) return null;
  return (
    <Link to={NEW}>
      <Button type="primary" tabIndex={-1}>
        {t('maintain.new')}
      </Button>
    </Link>
  );
}

export function useOrderList() {
  const { t } = useTranslation();
  const label = useLabels(maintainorder);
  const sees = useCan('maintainorder_add');
  const machines = useMachineNodes(undefined, t('repair.scrapped'));
  const classes = useClassNodes(false);
  return listOf(maintainorder, {
    name: 'maintainorder',
    begins: 'open',
    inline: 4,
    action: <NewButton />,
    noneHint: t(sees ? 'maintain.emptyHint' : 'maintain.emptyNoRight'),
    marks: (row) => <Marks order={row} />,
    columns: [
      { key: 'orderNo', width: 145, nowrap: true },
      { key: 'machineName', width: 150 },
      { key: 'configName', width: 170 },
      { key: 'statusName', width: 175 },
      { key: 'dueDate', width: 115, nowrap: true },
      { key: 'waitingFor', width: 190 },
      { key: 'levelName', width: 110 },
      { key: 'executorName', width: 105 },
      // Of most that are shown at first nobody has finished anything yet.
      { key: 'finishTime', width: 140, nowrap: true, extra: true },
      { key: 'teamName', width: 110, extra: true },
      { key: 'machineCode', width: 120, extra: true },
      { key: 'sourceName', width: 90, extra: true },
      { key: 'usedMinutes', width: 110, extra: true },
      { key: 'totalCost', width: 110, nowrap: true, extra: true, render: (row) => yuan(row.totalCost) },
    ],
    filters: [
      { kind: 'text', name: 'keyword', label: t('maintain.keyword') },
      'status',
      { kind: 'flag', name: 'mine', label: t('maintain.mine') },
      { kind: 'flag', name: 'overdue', label: t('maintain.overdue') },
      'level',
      { kind: 'tree', name: 'machineId', label: label('machineId'), nodes: machines ?? [] },
      { kind: 'tree', name: 'typeId', label: t('maintain.machineClass'), nodes: classes ?? [] },
      'teamId',
      'executorId',
      'deptId',
      underDept(t('maintain.underDept')),
      'source',
      { kind: 'dates', name: 'dueDate', label: label('dueDate'), plain: true },
      { kind: 'month', name: 'period', label: t('maintain.period') },
    ],
    card: (row) => ({
      title: `${row.machineName} ${row.configName}`,
      meta: [
        <span key="where" className="x-marks">
          <Marks order={row} />
          {row.orderNo} · {row.machineCode}
        </span>,
        <Parts key="when" of={[`${label('dueDate')} ${row.dueDate}`, row.waitingFor]} />,
      ],
    }),
  });
}
