/** Small marks that tell what deserves attention on an order: late, stopped, reworked. */
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';

type Marked = Pick<Wire<'RepairOrder'>, 'isResponseLate' | 'isFinishLate' | 'isStop' | 'reworkCount'>;

export function LateMarks({ order }: { order: Marked }) {
  const { t } = useTranslation();
  return (
    <>
      {order.isResponseLate === 1 && <ToneTag tone="bad">{t('repair.responseLate')}</ToneTag>}
      {order.isFinishLate === 1 && <ToneTag tone="bad">{t('repair.finishLate')}</ToneTag>}
    </>
  );
}

export function Marks({ order }: { order: Marked }) {
  const { t } = useTranslation();
  return (
    <>
      {order.isStop === 1 && <ToneTag tone="bad">{t('repair.stopped')}</ToneTag>}
      <LateMarks order={order} />
      {order.reworkCount > 0 && (
        <ToneTag tone="waiting">{t('repair.rework', { n: order.reworkCount })}</ToneTag>
      )}
    </>
  );
}
