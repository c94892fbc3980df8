/** Requests for spare parts: the storekeeper's queue, and what one has requested oneself. */
import { PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
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
import { OrderLink } from '@/screens/shared/OrderLink';
import { RequestCard, RequestForm } from '@/screens/shared/spareRequest';
import { useRights } from '@/session/rights';

type Row = RowOf<typeof spareuselog>;

const TOUCHES = [['orders'], ['case', 'repairorder'], ['case', 'maintainorder']] as const;
/** To be handled, reserved, and issued in part. */
const OPEN = '1,2,3';
const ISSUED_FROM = 3;

/** What is to be handled, or all; kept in the address. Which states are asked for says it better where they are. */
function useView() {
  const [params, setParams] = useSearchParams();
  const view = params.get('status') || params.get('view') === 'all' ? 'all' : 'open';
  const setView = (wanted: string) =>
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous);
        for (const name of ['current', 'status', 'view']) next.delete(name);
        if (wanted === 'all') next.set('view', wanted);
        return next;
      },
      { replace: true },
    );
  return [view, setView] as const;
}

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
  const [view, setView] = useView();
  const [asks, setAsks] = useState(false);
  const state = (row: Row) => <StateTag dict="spare_use_status" value={row.status} text={row.statusName} />;
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
        fixed={view === 'open' ? { status: OPEN } : undefined}
        actions={() => (
          <Segmented
            aria-label={t('spares.shown')}
            value={view}
            onChange={setView}
            options={[
              { value: 'open', label: t('work.case.open') },
              { value: 'all', label: t('work.case.all') },
            ]}
          />
        )}
        ownAdd
        form={[]}
        columns={[
          { key: 'logNo', width: 145, nowrap: true },
          { key: 'statusName', width: 135 },
          { key: 'orderNo', width: 150 },
          { key: 'machineName', width: 150 },
          { key: 'remark', width: 140 },
          { key: 'applyUserName', width: 110 },
          { key: 'applyTime', width: 150 },
          { key: 'lineCount', width: 85 },
          { key: 'totalAmount', width: 105 },
        ]}
        show={{
          statusName: state,
          orderNo: (row) => <OrderLink of={row} />,
          // Worth nothing is what nothing has left the store for yet.
          totalAmount: (row) =>
            yuan(row.totalAmount === 0 && row.status < ISSUED_FROM ? null : row.totalAmount),
        }}
        card={(row) => ({
          title: [row.machineName, row.orderNo || row.remark].filter(Boolean).join(' · ') || row.logNo,
          state: state(row),
          meta: [
            `${row.logNo} · ${t('spares.kinds', { count: row.lineCount })}`,
            `${row.applyUserName} · ${moment(row.applyTime)}`,
          ],
        })}
        filters={[
          'status',
          { kind: 'text', name: 'keyword', label: t('spares.requestWord') },
          'orderType',
          'applyTime',
          'applyUserId',
          'machineId',
        ]}
        untimed
        detail={[
          'statusName',
          'orderTypeName',
          'orderNo',
          'machineName',
          'applyUserName',
          'applyDeptName',
          'applyTime',
          'totalAmount',
          'remark',
        ]}
        extra={(row) => <Whole row={row} />}
        empty={{
          title: t(view === 'open' ? 'spares.noneToDo' : 'spares.noneOpen'),
          hint: t('spares.noneOpenHint'),
          action:
            view === 'open' ? (
              <Button onClick={() => setView('all')}>{t('work.case.all')}</Button>
            ) : (
              add || undefined
            ),
        }}
      />
      {asks && <RequestForm onClose={() => setAsks(false)} />}
    </>
  );
}
