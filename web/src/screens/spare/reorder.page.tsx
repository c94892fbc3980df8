/** What is to be reordered: parts at or below their minimum, and how much brings them up to their maximum. */
import { spareinfo } from '@/api/nouns/spareinfo';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { Parts } from '@/kit/Parts';
import { price } from '@/lib/money';
import { type Part, plain } from '@/screens/shared/spareScan';
import { PartName, useStockState } from './part.page';

/** Parts are kept in their own list: here they are read, and taken along as a sheet. */
const listed = {
  ...spareinfo,
  codes: {
    list: spareinfo.codes.list,
    detail: spareinfo.codes.detail,
    export: spareinfo.codes.export,
  },
} as const;

export default function Reorder() {
  const { t } = useTranslation();
  const label = useLabels(spareinfo);
  const state = useStockState();
  const qty = (name: 'availableQty' | 'minQty' | 'maxQty' | 'reorderQty' | 'use90') => (row: Part) => (
    <span className="x-nowrap">
      {plain(row[name])} {row.unit}
    </span>
  );
  return (
    <NounPage
      noun={listed}
      name="spareName"
      heading={t('spares.reorder.title')}
      fixed={{ reorderQty_gt: 0, isSealed: 0 }}
      ownAdd
      form={[]}
      columns={[
        { key: 'spareName', width: 150 },
        { key: 'spareCode', width: 125, nowrap: true },
        { key: 'spec', width: 95 },
        { key: 'stockStateName', width: 115 },
        { key: 'availableQty', width: 118 },
        { key: 'minQty', width: 118 },
        { key: 'reorderQty', width: 128 },
        { key: 'supplier', width: 115 },
        { key: 'leadDays', width: 140 },
        { key: 'maxQty', width: 115, extra: true },
        { key: 'lastPrice', width: 120, nowrap: true, extra: true },
      ]}
      show={{
        spareName: (row) => <PartName part={row} />,
        stockStateName: state,
        availableQty: qty('availableQty'),
        minQty: qty('minQty'),
        maxQty: (row) => (row.maxQty ? qty('maxQty')(row) : '-'),
        reorderQty: (row) => <strong>{qty('reorderQty')(row)}</strong>,
        lastPrice: (row) => price(row.lastPrice || null),
        use90: qty('use90'),
      }}
      card={(row) => ({
        title: <PartName part={row} />,
        state: state(row),
        meta: [
          [row.spareCode, row.supplier].filter(Boolean).join(' · '),
          <Parts
            key="much"
            of={[
              `${label('reorderQty')} ${plain(row.reorderQty)} ${row.unit}`,
              t('spares.available', { n: plain(row.availableQty), unit: row.unit }),
            ]}
          />,
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
