/** Spare parts: what is in stock, where it lies, what it is worth; movements and labels of each. */
import { PrinterOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { listRows } from '@/api/nounCalls';
import { spareflow } from '@/api/nouns/spareflow';
import { spareinfo } from '@/api/nouns/spareinfo';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { Section } from '@/kit/Section';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { ErrorLine, PageSkeleton } from '@/kit/states';
import { moment } from '@/lib/dates';
import { price, yuan } from '@/lib/money';
import { PrintLabels } from '@/screens/shared/PrintLabels';
import { type Part, plain } from '@/screens/shared/spareScan';
import { useRights } from '@/session/rights';
import { MoveForm } from './move';

const LAST = 10;

/** Where it is used, and the last movements. */
function More({ part }: { part: Part & { typeNames?: string; machineNames?: string } }) {
  const { t } = useTranslation();
  const asked = { spareId: part.id, size: LAST };
  const { data, error } = useQuery({
    queryKey: [spareflow.name, 'of', part.id],
    queryFn: ({ signal }) => listRows(spareflow, asked, signal),
  });
  const all = <Link to={`/spare/flow?spareId=${part.id}`}>{t('spares.allMovements')}</Link>;
  const used = [part.typeNames, part.machineNames].filter(Boolean).join(' · ');
  return (
    <div className="x-spares">
      {used && <Section title={t('spares.usedAt')}>{used}</Section>}
      <Section title={t('spares.movements')} action={data && data.total > LAST ? all : undefined}>
        {error && !data ? <ErrorLine error={error} /> : null}
        {!data && !error && <PageSkeleton rows={3} />}
        {data?.records.length === 0 && <p className="x-quiet">{t('spares.noMovements')}</p>}
        <ul className="x-plain">
          {data?.records.map((row) => (
            <li key={row.id} className="x-line">
              <div>
                {row.bizTypeName} <span className="x-quiet">{row.orderNo || row.remark}</span>
                <div className="x-quiet">
                  {moment(row.flowTime)} {row.userName}
                </div>
              </div>
              <span className="x-line-end x-nowrap">
                {row.direction > 0 ? '+' : '−'}
                {plain(row.qty)} {row.unit} → {plain(row.afterQty)} {row.unit}
              </span>
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}

export function useStockState() {
  const { t } = useTranslation();
  return (part: Part) => (
    <span className="x-marks">
      <StateTag dict="stock_state" value={part.stockState} text={part.stockStateName} />
      {part.isSealed === 1 && <ToneTag tone="off">{t('system.sealed')}</ToneTag>}
    </span>
  );
}

/** The name, marked where production stands without the part. */
export function PartName({ part }: { part: Part }) {
  const label = useLabels(spareinfo);
  return (
    <span className="x-marks">
      {part.spareName}
      {part.isCritical === 1 && (
        <ToneTag tone="bad" grade>
          {label('isCritical')}
        </ToneTag>
      )}
    </span>
  );
}

export default function SpareParts() {
  const { t } = useTranslation();
  const may = useRights();
  const label = useLabels(spareinfo);
  const [moving, setMoving] = useState<Part>();
  const [printing, setPrinting] = useState<{ parts: readonly Part[]; clear?: () => void }>();
  const state = useStockState();
  const qty =
    (
      name:
        | 'stockQty'
        | 'availableQty'
        | 'reservedQty'
        | 'minQty'
        | 'maxQty'
        | 'safetyQty'
        | 'reorderQty'
        | 'use90',
    ) =>
    (row: Part) => (
      <span className="x-nowrap">
        {plain(row[name])} {row.unit}
      </span>
    );
  return (
    <>
      <NounPage
        noun={spareinfo}
        name="spareName"
        called={(row) => `${row.spareCode} ${row.spareName}`}
        columns={[
          { key: 'spareName', width: 195 },
          { key: 'spareCode', width: 122, nowrap: true },
          { key: 'spec', width: 105 },
          { key: 'stockStateName', width: 112 },
          { key: 'availableQty', width: 118 },
          { key: 'locationCode', width: 95, nowrap: true },
          { key: 'stockQty', width: 108 },
          { key: 'stockAmount', width: 128 },
          { key: 'use90', width: 145, extra: true },
          { key: 'avgPrice', width: 120, nowrap: true, extra: true },
          { key: 'coverDays', width: 110, extra: true },
          { key: 'lastOutTime', width: 150, extra: true },
          { key: 'minQty', width: 115, extra: true },
          { key: 'reservedQty', width: 115, extra: true },
        ]}
        show={{
          spareName: (row) => <PartName part={row} />,
          stockStateName: state,
          stockQty: qty('stockQty'),
          availableQty: qty('availableQty'),
          reservedQty: qty('reservedQty'),
          minQty: qty('minQty'),
          maxQty: (row) => (row.maxQty ? qty('maxQty')(row) : '-'),
          safetyQty: qty('safetyQty'),
          reorderQty: (row) => (row.reorderQty > 0 ? qty('reorderQty')(row) : '-'),
          use90: qty('use90'),
          avgPrice: (row) => price(row.avgPrice),
          lastPrice: (row) => price(row.lastPrice || null),
          stockAmount: (row) => yuan(row.stockAmount),
        }}
        card={(row) => ({
          title: <PartName part={row} />,
          state: state(row),
          meta: [
            [row.spareCode, row.spec, row.locationCode].filter(Boolean).join(' · '),
            t('spares.now', {
              stock: plain(row.stockQty),
              available: plain(row.availableQty),
              unit: row.unit,
            }),
          ],
        })}
        filters={[
          { kind: 'text', name: 'keyword', label: t('spares.word') },
          'category',
          { kind: 'dict', name: 'stockState', label: label('stockState'), dict: 'stock_state' },
          'locationCode',
          {
            kind: 'reference',
            name: 'machineId',
            label: label('machineIds'),
            source: { ref: '/yuzhu-equip/inspectmachine/select', params: { nodeType: '4,5' } },
          },
          {
            kind: 'reference',
            name: 'typeId',
            label: label('typeIds'),
            source: { ref: '/yuzhu-equip/inspecttype/select' },
          },
          'isCritical',
          'isSealed',
          'supplier',
          'availableQty',
          'stockAmount',
          'use90',
          'coverDays',
          'lastOutTime',
        ]}
        form={[
          'spareCode',
          'spareName',
          'spec',
          'brand',
          'category',
          'unit',
          'isInteger',
          'locationCode',
          'minQty',
          'maxQty',
          'safetyQty',
          'leadDays',
          'supplier',
          'barcode',
          'isCritical',
          'isSealed',
          'typeIds',
          'machineIds',
          'photo',
          'files',
          'remark',
        ]}
        lead={[
          'stockStateName',
          'locationCode',
          'stockQty',
          'reservedQty',
          'availableQty',
          'avgPrice',
          'lastPrice',
          'stockAmount',
          'use90',
          'coverDays',
          'lastOutTime',
          'reorderQty',
        ]}
        detail={[]}
        initial={{ category: 10, unit: t('spares.piece'), isInteger: 1, leadDays: 7 }}
        extra={(row) => <More part={row} />}
        touches={[[spareflow.name]]}
        mayBeRemoved={(row) => row.stockQty === 0}
        rowActions={(row) => [
          ...(may('spareflow_add')
            ? [{ key: 'move', label: t('spares.move'), onClick: () => setMoving(row) }]
            : []),
          ...(may('spareinfo_edit')
            ? [{ key: 'label', label: t('spares.label'), onClick: () => setPrinting({ parts: [row] }) }]
            : []),
        ]}
        bulk={(parts, clear) =>
          may('spareinfo_edit') && (
            <Button icon={<PrinterOutlined />} onClick={() => setPrinting({ parts, clear })}>
              {t('spares.label')}
            </Button>
          )
        }
        empty={{ title: t('spares.none'), hint: t('spares.noneHint') }}
      />
      {moving && <MoveForm part={moving} onClose={() => setMoving(undefined)} />}
      {printing && (
        <PrintLabels
          title={t('spares.label')}
          note={t('spares.labelNote')}
          name={t('spares.labelName')}
          labels={printing.parts.map((part) => ({
            address: part.barcode || part.spareCode,
            lines: [
              part.spareName,
              part.spareCode,
              [part.spec, part.locationCode].filter(Boolean).join(' '),
            ].filter(Boolean),
          }))}
          onClose={() => {
            printing.clear?.();
            setPrinting(undefined);
          }}
        />
      )}
    </>
  );
}
