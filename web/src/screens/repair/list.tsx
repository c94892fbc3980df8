/** Repair orders as a list: who has it, what it waits for, what is late. */
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import { repairorder } from '@/api/nouns/repairorder';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useFilters } from '@/kit/nounFilters';
import { inSentence, useLabels } from '@/kit/nounText';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { StateTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { useClassNodes } from '@/screens/shared/classes';
import { AgainMarks, LateMarks } from '@/screens/shared/orderMarks';
import { CALL, LIST } from '@/screens/shared/orders';
import { ReportButton } from '@/screens/shared/ReportButton';
import { useCan } from '@/session/rights';
import { useMachineNodes } from './queries';

type Order = Wire<'RepairOrder'>;

function State({ order }: { order: Order }) {
  return <StateTag dict="repair_status" value={order.status} text={order.statusName} />;
}

export default function RepairOrders() {
  const { t } = useTranslation();
  const label = useLabels(repairorder);
  const navigate = useNavigate();
  const mayReport = useCan('repairorder_add');
  const nodes = useMachineNodes(false);
  const classes = useClassNodes(false);

  const columns: Column<Order>[] = [
    { key: 'orderNo', title: label('orderNo'), width: 145, nowrap: true },
    { key: 'title', title: label('title'), width: 165 },
    { key: 'machineName', title: label('machineId'), width: 145 },
    {
      key: 'status',
      title: label('status'),
      width: 175,
      sortable: true,
      render: (row) => (
        <span className="x-marks">
          <State order={row} />
          <LateMarks order={row} />
          <AgainMarks order={row} />
        </span>
      ),
    },
    {
      key: 'urgency',
      title: label('urgency'),
      width: 105,
      nowrap: true,
      sortable: true,
      render: (row) => <StateTag dict="repair_urgency" value={row.urgency} text={row.urgencyName} />,
    },
    { key: 'waitingFor', title: label('waitingFor'), width: 170 },
    {
      key: 'reportTime',
      title: label('reportTime'),
      width: 150,
      sortable: true,
      render: (row) => (
        <>
          {row.reportUserName}
          <div className="x-quiet">{moment(row.reportTime)}</div>
        </>
      ),
    },
    { key: 'repairUserName', title: label('repairUserId'), width: 95 },
  ];
  const filters = useFilters(repairorder, [
    { kind: 'text', name: 'keyword', label: t('repair.keyword') },
    { kind: 'dict', name: 'status', label: label('status'), dict: 'repair_status', multiple: true },
    { kind: 'flag', name: 'mine', label: t('repair.mine') },
    { kind: 'flag', name: 'overdue', label: t('repair.overdue') },
    { kind: 'dict', name: 'urgency', label: label('urgency'), dict: 'repair_urgency', multiple: true },
    { kind: 'tree', name: 'machineId', label: label('machineId'), nodes: nodes ?? [] },
    { kind: 'tree', name: 'typeId', label: t('repair.machineClass'), nodes: classes ?? [] },
    { kind: 'dict', name: 'repairType', label: label('repairType'), dict: 'repair_type', multiple: true },
    'repairUserId',
    'reportUserId',
    'teamId',
    'deptId',
    { kind: 'dict', name: 'source', label: label('source'), dict: 'repair_source' },
    { kind: 'flag', name: 'isStop', label: t('repair.stopped') },
    { kind: 'flag', name: 'isRepeat', label: t('repair.repeat') },
    { kind: 'dates', name: 'createTime', label: label('reportTime') },
    { kind: 'month', name: 'period', label: t('repair.period') },
  ]);

  return (
    <ResourceList<Order>
      name="orders"
      title={t('app.pages.orders')}
      load={(query, signal) => api.list(`${CALL}/list`, query, signal)}
      columns={columns}
      filters={filters}
      inline={4}
      action={<ReportButton />}
      poll={60}
      card={(row) => ({
        title: row.title,
        state: <State order={row} />,
        meta: [
          <span key="where" className="x-marks">
            {row.orderNo} · {row.machineCode}
            {row.urgency < 3 && <StateTag dict="repair_urgency" value={row.urgency} text={row.urgencyName} />}
            <LateMarks order={row} />
            <AgainMarks order={row} />
          </span>,
          [moment(row.reportTime), row.waitingFor].filter(Boolean).join(' · '),
        ],
      })}
      onOpen={(row) => navigate(`${LIST}/${row.id}`)}
      empty={{
        title: t('kit.noun.none', { name: inSentence(t('app.pages.orders')) }),
        hint: mayReport ? t('repair.emptyHint') : t('repair.emptyNoRight'),
        action: <ReportButton />,
      }}
    />
  );
}
