/** What is to be reordered: parts at or below their minimum, and how much brings them up to their maximum. */
import { spareinfo } from '@/api/nouns/spareinfo';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { ToneTag } from '@/kit/StateTag';
import { type Part, plain } from '@/screens/shared/spareScan';
import { useStockState } from './part.page';

export default function Reorder() {
  const { t } = useTranslation();
  const label = useLabels(spareinfo);
  const state = useStockState();
  const qty = (name: 'availableQty' | 'minQty' | 'maxQty' | 'reorderQty') => (row: Part) => (
    <span className="x-nowrap">
      {plain(row[name])} {row.unit}
    </span>
  );
  return (
    <NounPage
      noun={spareinfo}
      name="spareName"
      heading={t('spares.reorder.title')}
      fixed={{ reorderQty_gt: 0, isSealed: 0 }}
      ownAdd
      form={[]}
      columns={[
        { key: 'spareName', width: 190 },
        { key: 'spareCode', width: 120, nowrap: true },
        { key: 'spec', width: 140 },
        { key: 'stockStateName', width: 110 },
        { key: 'availableQty', width: 110 },
        { key: 'minQty', width: 100 },
        { key: 'maxQty', width: 100 },
        { key: 'reorderQty', width: 120 },
        { key: 'supplier', width: 150 },
        { key: 'leadDays', width: 110 },
      ]}
      show={{
        spareName: (row) => (
          <span className="x-marks">
            {row.spareName}
            {row.isCritical === 1 && <ToneTag tone="bad">{label('isCritical')}</ToneTag>}
          </span>
        ),
        stockStateName: state,
        availableQty: qty('availableQty'),
        minQty: qty('minQty'),
        maxQty: qty('maxQty'),
        reorderQty: (row) => <strong>{qty('reorderQty')(row)}</strong>,
      }}
      card={(row) => ({
        title: row.spareName,
        state: state(row),
        meta: [
          [row.spareCode, row.supplier].filter(Boolean).join(' · '),
          `${label('reorderQty')} ${plain(row.reorderQty)} ${row.unit}`,
        ],
      })}
      filters={[
        { kind: 'text', name: 'keyword', label: t('spares.word') },
        'category',
        'supplier',
        'isCritical',
      ]}
      detail={[
        'spareCode',
        'spec',
        'stockStateName',
        'availableQty',
        'minQty',
        'maxQty',
        'reorderQty',
        'lastPrice',
        'supplier',
        'leadDays',
        'use90',
        'coverDays',
      ]}
      empty={{ title: t('spares.reorder.none'), hint: t('spares.reorder.noneHint') }}
    />
  );
}
