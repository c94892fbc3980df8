/** Small marks that tell what deserves attention on a maintenance order. */
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';

type Marked = Pick<Wire<'MaintainOrder'>, 'isOverdue' | 'isFirst' | 'abnormalCount'>;

export function Marks({ order }: { order: Marked }) {
  const { t } = useTranslation();
  return (
    <>
      {order.isOverdue === 1 && <ToneTag tone="bad">{t('maintain.overdue')}</ToneTag>}
      {order.isFirst === 1 && <ToneTag tone="quiet">{t('maintain.first')}</ToneTag>}
      {order.abnormalCount > 0 && (
        <ToneTag tone="waiting">{t('maintain.abnormal', { count: order.abnormalCount })}</ToneTag>
      )}
    </>
  );
}
