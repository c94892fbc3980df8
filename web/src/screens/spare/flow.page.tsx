/** The ledger of spare parts: every movement, newest first; mistakes are corrected by their opposite. */
import { SwapOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import type { RowOf } from '@/api/noun';
import { spareflow } from '@/api/nouns/spareflow';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { ToneTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { price, yuan } from '@/lib/money';
import { OrderLink } from '@/screens/shared/OrderLink';
import { REQUESTS } from '@/screens/shared/spareRequest';
import { plain } from '@/screens/shared/spareScan';
import { useRights } from '@/session/rights';
import { CorrectForm, MoveForm } from './move';

type Row = RowOf<typeof spareflow>;
const OF_REQUESTS = [4, 5];
const PARTS = '/spare/part';

export const signed = (row: Row) => `${row.direction > 0 ? '+' : '−'}${plain(row.qty)} ${row.unit}`;

function Stock({ row, name }: { row: Row; name: 'beforeQty' | 'afterQty' }) {
  return (
    <span className="x-nowrap">
      {plain(row[name])} {row.unit}
    </span>
  );
}

export default function Movements() {
  const { t } = useTranslation();
  const may = useRights();
  const label = useLabels(spareflow);
  const [moves, setMoves] = useState(false);
  const [wrong, setWrong] = useState<Row>();
  const mayAdd = may('spareflow_add');
  const kind = (row: Row) => (
    <span className="x-marks">
      {row.bizTypeName}
      {row.reverseOfId && <ToneTag tone="off">{t('spares.correction')}</ToneTag>}
      {row.isReversed === 1 && <ToneTag tone="off">{t('spares.corrected')}</ToneTag>}
    </span>
  );
  const log = (row: Row) =>
    row.useLogId ? (
      <Link to={`${REQUESTS}?show=${row.useLogId}`} onClick={(event) => event.stopPropagation()}>
        {row.logNo}
      </Link>
    ) : (
      '-'
    );
  const add = mayAdd && (
    <Button type="primary" icon={<SwapOutlined />} onClick={() => setMoves(true)}>
      {t('spares.move')}
    </Button>
  );
  return (
    <>
      <NounPage
        noun={spareflow}
        name="flowNo"
        main={add || undefined}
        ownAdd
        form={[]}
        columns={[
          { key: 'flowTime', width: 145 },
          { key: 'spareName', width: 170 },
          { key: 'bizTypeName', width: 125 },
          { key: 'qty', width: 110 },
          { key: 'afterQty', width: 112 },
          { key: 'amount', width: 112 },
          { key: 'logNo', width: 140 },
          { key: 'orderNo', width: 140 },
          { key: 'userName', width: 90 },
          { key: 'price', width: 120, nowrap: true, extra: true },
          { key: 'spareCode', width: 125, nowrap: true, extra: true },
          { key: 'flowNo', width: 150, nowrap: true, extra: true },
          { key: 'remark', width: 180, extra: true },
        ]}
        show={{
          bizTypeName: kind,
          qty: (row) => <span className="x-nowrap">{signed(row)}</span>,
          afterQty: (row) => <Stock row={row} name="afterQty" />,
          beforeQty: (row) => <Stock row={row} name="beforeQty" />,
          price: (row) => price(row.price),
          amount: (row) => yuan(row.amount),
          orderNo: (row) => <OrderLink of={row} />,
          spareCode: (row) =>
            may('spareinfo_view') ? (
              <Link to={`${PARTS}?show=${row.spareId}`} onClick={(event) => event.stopPropagation()}>
                {row.spareCode}
              </Link>
            ) : (
              row.spareCode
            ),
          logNo: log,
        }}
        card={(row) => ({
          title: row.spareName,
          state: kind(row),
          meta: [
            `${signed(row)} → ${plain(row.afterQty)} ${row.unit} · ${yuan(row.amount)}`,
            [moment(row.flowTime), row.userName, row.orderNo || row.logNo].filter(Boolean).join(' · '),
          ],
        })}
        filters={[
          { kind: 'dict', name: 'bizType', label: label('bizType'), dict: 'spare_biz_type' },
          'spareId',
          'flowTime',
          { kind: 'text', name: 'keyword', label: t('spares.flowWord') },
          'machineId',
          'userId',
          { kind: 'dict', name: 'orderType', label: label('orderType'), dict: 'spare_order_type' },
        ]}
        untimed
        detail={[
          'flowNo',
          'flowTime',
          'spareName',
          'spareCode',
          'spec',
          'bizTypeName',
          'qty',
          'beforeQty',
          'afterQty',
          'price',
          'amount',
          'machineName',
          'orderNo',
          'logNo',
          'userName',
          'remark',
          'voucher',
        ]}
        rowActions={(row) =>
          mayAdd && !OF_REQUESTS.includes(row.bizType) && !row.reverseOfId && row.isReversed === 0
            ? [{ key: 'correct', label: t('spares.correct'), danger: true, onClick: () => setWrong(row) }]
            : []
        }
        empty={{ title: t('spares.noMovements'), action: add || undefined }}
      />
      {moves && <MoveForm onClose={() => setMoves(false)} />}
      {wrong && <CorrectForm move={wrong} onClose={() => setWrong(undefined)} />}
    </>
  );
}
