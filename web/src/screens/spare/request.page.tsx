/** Requests for spare parts: the storekeeper's queue, and what one has requested oneself. */
import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { spareuselog } from '@/api/nouns/spareuselog';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { Section } from '@/kit/Section';
import { StateTag } from '@/kit/StateTag';
import { ErrorLine, PageSkeleton } from '@/kit/states';
import { Timeline } from '@/kit/Timeline';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { LIST as ORDERS } from '@/screens/shared/orders';
import { RequestCard, RequestForm } from '@/screens/shared/spareRequest';
import { useRights } from '@/session/rights';

type Row = RowOf<typeof spareuselog>;

const TOUCHES = [['orders'], ['case', 'repairorder']] as const;
const REPAIR = 1;

/** What was requested, what may be done, and what was done. */
function Whole({ row }: { row: Row }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: [spareuselog.name, 'whole', row.id],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/spareuselog/detail', { id: row.id }, signal),
  });
  if (error && !data) return <ErrorLine error={error} />;
  if (!data) return <PageSkeleton rows={4} />;
  return (
    <div className="x-spares">
      <Section title={t('spares.parts')}>
        <RequestCard request={data} touches={TOUCHES} />
      </Section>
      <Section title={t('spares.history')}>
        <Timeline
          items={data.logs.map((log, index) => ({
            key: `${index}`,
            time: log.time,
            title: log.actionName,
            by: log.userName,
            note: log.remark,
          }))}
        />
      </Section>
    </div>
  );
}

export default function SpareRequests() {
  const { t } = useTranslation();
  const may = useRights();
  const [asks, setAsks] = useState(false);
  const state = (row: Row) => <StateTag dict="spare_use_status" value={row.status} text={row.statusName} />;
  const order = (row: Row) =>
    row.orderType === REPAIR && may('repairorder_view') ? (
      <Link to={`${ORDERS}/${row.orderId}`} onClick={(event) => event.stopPropagation()}>
        {row.orderNo}
      </Link>
    ) : (
      row.orderNo || row.remark || '-'
    );
  const add = may('spareuselog_add') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setAsks(true)}>
      {t('spares.request')}
    </Button>
  );
  return (
    <>
      <NounPage
        noun={spareuselog}
        name="logNo"
        called={(row) => row.logNo}
        main={add || undefined}
        ownAdd
        form={[]}
        columns={[
          { key: 'logNo', width: 150, nowrap: true },
          { key: 'statusName', width: 120 },
          { key: 'orderNo', width: 150 },
          { key: 'machineName', width: 150 },
          { key: 'applyUserName', width: 110 },
          { key: 'applyTime', width: 150 },
          { key: 'lineCount', width: 90 },
          { key: 'totalAmount', width: 110 },
        ]}
        show={{ statusName: state, orderNo: order, totalAmount: (row) => yuan(row.totalAmount) }}
        card={(row) => ({
          title: [row.machineName, row.orderNo || row.remark].filter(Boolean).join(' · ') || row.logNo,
          state: state(row),
          meta: [row.logNo, `${row.applyUserName} · ${moment(row.applyTime)}`],
        })}
        filters={[
          'status',
          { kind: 'text', name: 'keyword', label: t('spares.requestWord') },
          'orderType',
          'applyTime',
          'applyUserId',
          'machineId',
        ]}
        detail={[
          'statusName',
          'orderTypeName',
          'orderNo',
          'machineName',
          'applyUserName',
          'applyDeptName',
          'applyTime',
          'remark',
          'handleUserName',
          'handleTime',
          'totalAmount',
        ]}
        extra={(row) => <Whole row={row} />}
        empty={{ title: t('spares.noneOpen'), hint: t('spares.noneOpenHint'), action: add || undefined }}
      />
      {asks && <RequestForm onClose={() => setAsks(false)} />}
    </>
  );
}
