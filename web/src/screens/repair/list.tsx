/** Repair orders as a list: who has it, what it waits for, what is late. */
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { Page, Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { StateTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { useCan } from '@/session/rights';
import { useClassNodes } from '../equip/classes';
import { AgainMarks, LateMarks } from './marks';
import { CALL, LIST, useMachineNodes } from './queries';
import { ReportButton } from './ReportButton';

type Order = Wire<'RepairOrder'>;

const REPAIRERS = { path: '/yuzhu-equip/user/machineUsers', value: 'userId', shown: 'userName' };
const PEOPLE = { path: '/blade-user/user-list', shown: 'realName' };
const TEAMS = { path: '/yuzhu-equip/repairteam/getList', shown: 'teamName' };
const DEPTS = { tree: '/blade-system/dept/tree' };

function State({ order }: { order: Order }) {
  return <StateTag dict="repair_status" value={order.status} text={order.statusName} />;
}

export default function RepairOrders() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayReport = useCan('repairorder_add');
  const nodes = useMachineNodes(false);
  const classes = useClassNodes(false);

  const columns: Column<Order>[] = [
    { key: 'orderNo', title: t('repair.orderNo'), width: 145, nowrap: true },
    { key: 'title', title: t('repair.name'), width: 180 },
    { key: 'machineName', title: t('repair.machine'), width: 160 },
    {
      key: 'status',
      title: t('repair.status'),
      width: 135,
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
      title: t('repair.urgency'),
      width: 105,
      nowrap: true,
      sortable: true,
      render: (row) => <StateTag dict="repair_urgency" value={row.urgency} text={row.urgencyName} />,
    },
    { key: 'waitingFor', title: t('repair.waitingFor'), width: 180 },
    {
      key: 'reportTime',
      title: t('repair.reportTime'),
      width: 150,
      sortable: true,
      render: (row) => (
        <>
          {row.reportUserName}
          <div className="x-quiet">{moment(row.reportTime)}</div>
        </>
      ),
    },
    { key: 'repairUserName', title: t('repair.repairer'), width: 95 },
  ];
  const filters: Filter[] = [
    { kind: 'text', name: 'keyword', label: t('repair.keyword') },
    { kind: 'dict', name: 'status', label: t('repair.status'), dict: 'repair_status', multiple: true },
    { kind: 'flag', name: 'mine', label: t('repair.mine') },
    { kind: 'flag', name: 'overdue', label: t('repair.overdue') },
    { kind: 'dict', name: 'urgency', label: t('repair.urgency'), dict: 'repair_urgency', multiple: true },
    { kind: 'tree', name: 'machineId', label: t('repair.machine'), nodes: nodes ?? [] },
    { kind: 'tree', name: 'typeId', label: t('repair.machineClass'), nodes: classes ?? [] },
    { kind: 'dict', name: 'repairType', label: t('repair.type'), dict: 'repair_type', multiple: true },
    { kind: 'reference', name: 'repairUserId', label: t('repair.repairer'), source: REPAIRERS },
    { kind: 'reference', name: 'reportUserId', label: t('repair.reporter'), source: PEOPLE },
    { kind: 'reference', name: 'teamId', label: t('repair.team'), source: TEAMS },
    { kind: 'reference', name: 'deptId', label: t('repair.dept'), source: DEPTS },
    { kind: 'dict', name: 'source', label: t('repair.source'), dict: 'repair_source' },
    { kind: 'flag', name: 'isStop', label: t('repair.stopped') },
    { kind: 'flag', name: 'isRepeat', label: t('repair.repeat') },
    { kind: 'dates', name: 'createTime', label: t('repair.created') },
    { kind: 'month', name: 'period', label: t('repair.period') },
  ];

  return (
    <ResourceList<Order>
      name="orders"
      title={t('repair.title')}
      load={(query, signal) => api.get<Page<Order>>(`${CALL}/list`, query, signal)}
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
        title: t('repair.empty'),
        hint: mayReport ? t('repair.emptyHint') : t('repair.emptyNoRight'),
        action: <ReportButton />,
      }}
    />
  );
}
