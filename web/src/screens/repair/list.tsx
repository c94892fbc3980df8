/** Repair orders as a list: who has it, what it waits for, what is late. */
import { Button, Segmented } from 'antd';
import { useNavigate, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import { repairorder } from '@/api/nouns/repairorder';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Minutes } from '@/kit/Minutes';
import { useFilters } from '@/kit/nounFilters';
import { useLabels } from '@/kit/nounText';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { StateTag } from '@/kit/StateTag';
import { ExportButton } from '@/kit/useNoun';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { useClassNodes } from '@/screens/shared/classes';
import { AgainMarks, LateMarks } from '@/screens/shared/orderMarks';
import { CALL, LIST, UNFINISHED } from '@/screens/shared/orders';
import { ReportButton } from '@/screens/shared/ReportButton';
import { useCan } from '@/session/rights';
import { useMachineNodes } from './queries';

type Order = Wire<'RepairOrder'>;

function State({ order }: { order: Order }) {
  return <StateTag dict="repair_status" value={order.status} text={order.statusName} />;
}

/** By when the next thing must have happened: the acceptance, then the finish. */
function Due({ order }: { order: Order }) {
  if (order.finishTime || order.closeTime) return '-';
  const due = order.acceptTime ? order.finishDue : order.responseDue;
  return <span className="x-nowrap">{moment(due)}</span>;
}

/** All orders, or the open ones; kept in the address. Which states are asked for says it better where they are. */
function useView() {
  const [params, setParams] = useSearchParams();
  const view = params.get('view') === ALL || params.get('status') ? ALL : OPEN;
  const setView = (wanted: string) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous);
        for (const name of ['current', 'status', 'view']) next.delete(name);
        if (wanted === ALL) next.set('view', ALL);
        return next;
      },
      { replace: true },
    );
  return [view, setView] as const;
}

const [OPEN, ALL] = ['open', 'all'];

export default function RepairOrders() {
  const { t } = useTranslation();
  const phone = usePhone();
  const [view, setView] = useView();
  const mayExport = useCan('repairorder_export');
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
    { key: 'teamName', title: label('teamId'), width: 110, extra: true },
    {
      key: 'finishDue',
      title: t('repair.due'),
      width: 150,
      extra: true,
      render: (row) => <Due order={row} />,
    },
    {
      key: 'stopMinutes',
      title: label('stopMinutes'),
      width: 120,
      nowrap: true,
      align: 'end',
      extra: true,
      render: (row) => (row.stopMinutes === null ? '-' : <Minutes value={row.stopMinutes} />),
    },
    {
      key: 'totalCost',
      title: label('totalCost'),
      width: 120,
      nowrap: true,
      align: 'end',
      extra: true,
      render: (row) => yuan(row.totalCost),
    },
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
      fixed={view === OPEN ? { status: UNFINISHED } : undefined}
      columns={columns}
      filters={filters}
      inline={4}
      views
      action={(params) => (
        <>
          <Segmented
            value={view}
            onChange={setView}
            options={[
              { value: OPEN, label: t('repair.view.open') },
              { value: ALL, label: t('repair.view.all') },
            ]}
          />
          {mayExport && !phone && <ExportButton noun={repairorder} params={params} />}
          <ReportButton />
        </>
      )}
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
      addressOf={(row) => `${LIST}/${row.id}`}
      empty={
        view === OPEN
          ? {
              title: t('repair.noneOpen'),
              hint: t('repair.noneOpenHint'),
              action: <Button onClick={() => setView(ALL)}>{t('repair.view.all')}</Button>,
            }
          : {
              title: t('repair.noneVisible'),
              hint: mayReport ? t('repair.emptyHint') : t('repair.emptyNoRight'),
              action: <ReportButton />,
            }
      }
    />
  );
}
