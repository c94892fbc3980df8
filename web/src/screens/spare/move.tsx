/** The form of a movement of stock, and of the correction of one. */
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { readRow } from '@/api/nounCalls';
import { spareflow } from '@/api/nouns/spareflow';
import { spareinfo } from '@/api/nouns/spareinfo';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { DictField, FilesField, NumberField, TextAreaField } from '@/kit/fields';
import { ReferenceField } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { type Part, plain } from '@/screens/shared/spareScan';

export const TOUCHED = [[spareinfo.name], [spareflow.name]] as const;
const [OPENING, PURCHASE, OTHER_IN, , , SURPLUS, SHORTAGE, SCRAP] = [1, 2, 3, 4, 5, 6, 7, 8];
const PRICED = [OPENING, PURCHASE, OTHER_IN];
const BY_HAND = [PURCHASE, OTHER_IN, SCRAP, OPENING, SURPLUS, SHORTAGE];
const MOST = 999_999_999;

interface Values {
  spareId: string;
  bizType: number;
  qty: number;
  price?: number;
  remark?: string;
  voucher?: readonly string[];
}

/** What the kind of movement asks for. */
function ByKind() {
  const { t } = useTranslation();
  const label = useLabels(spareflow);
  const kind = Form.useWatch<number | undefined>('bizType', Form.useFormInstance<Values>());
  const isPriced = PRICED.includes(kind ?? 0);
  return (
    <>
      {isPriced ? (
        <NumberField
          name="price"
          label={label('price')}
          hint={t('spares.priceHint')}
          min={0}
          max={MOST}
          decimals={4}
          unit="¥"
          required
        />
      ) : (
        <p className="x-hint">{t('spares.atAverage')}</p>
      )}
      <TextAreaField name="remark" label={label('remark')} max={255} rows={2} required={!isPriced} />
    </>
  );
}

/** How much, in the unit of the part; of one that was chosen here, what there is of it. */
function Quantity({ given }: { given?: Part }) {
  const { t } = useTranslation();
  const label = useLabels(spareflow);
  const id = Form.useWatch<string | undefined>('spareId', Form.useFormInstance<Values>());
  const { data } = useQuery({
    queryKey: [spareinfo.name, 'detail', id],
    queryFn: ({ signal }) => readRow(spareinfo, { id }, signal),
    enabled: !given && Boolean(id),
  });
  const part = given ?? (id ? data : undefined);
  return (
    <NumberField
      name="qty"
      label={label('qty')}
      min={part && !part.isInteger ? 0.001 : undefined}
      max={MOST}
      decimals={part?.isInteger ? 0 : 3}
      unit={part?.unit}
      hint={
        part && !given
          ? t('spares.now', {
              stock: plain(part.stockQty),
              available: plain(part.availableQty),
              unit: part.unit,
            })
          : undefined
      }
      required
    />
  );
}

export function MoveForm({ part, onClose }: { part?: Part; onClose: () => void }) {
  const { t } = useTranslation();
  const label = useLabels(spareflow);
  return (
    <FormDrawer<Values>
      size="small"
      title={part ? `${t('spares.moveTitle')} · ${part.spareName}` : t('spares.moveTitle')}
      note={
        part
          ? `${t('spares.now', {
              stock: plain(part.stockQty),
              available: plain(part.availableQty),
              unit: part.unit,
            })} · ${t('spares.moveNote')}`
          : t('spares.moveNote')
      }
      initial={{ spareId: part?.id, bizType: PURCHASE, price: part?.lastPrice || undefined }}
      submitText={t('spares.submitMove')}
      submit={({ price, bizType, ...values }) =>
        api.post('/yuzhu-equip/spareflow/submit', {
          ...values,
          bizType,
          ...(PRICED.includes(bizType) ? { price } : {}),
        } as never)
      }
      success={t('spares.moveDone')}
      invalidates={TOUCHED}
      onClose={onClose}
    >
      {!part && (
        <ReferenceField
          name="spareId"
          label={label('spareId')}
          source={{ ref: `${spareinfo.path}/select` }}
          required
        />
      )}
      <DictField name="bizType" label={label('bizType')} dict="spare_biz_type" only={BY_HAND} required />
      <Quantity given={part} />
      <ByKind />
      <FilesField name="voucher" label={label('voucher')} />
    </FormDrawer>
  );
}

export function CorrectForm({ move, onClose }: { move: RowOf<typeof spareflow>; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormDrawer<{ remark: string }>
      size="small"
      title={`${t('spares.correctTitle')} · ${move.flowNo}`}
      note={`${move.spareName} · ${t('spares.correctNote')}`}
      danger
      submitText={t('spares.correct')}
      submit={({ remark }) =>
        api.post('/yuzhu-equip/spareflow/submit', { reverseOfId: move.id, remark } as never)
      }
      success={t('spares.corrected')}
      invalidates={TOUCHED}
      onClose={onClose}
    >
      <TextAreaField name="remark" label={t('spares.correctReason')} max={255} required />
    </FormDrawer>
  );
}
