/** Small marks that tell what deserves attention on an order: late, stopped, reworked. */
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';

type Late = Pick<Wire<'RepairOrder'>, 'isResponseLate' | 'isFinishLate'>;
type Again = Pick<Wire<'RepairOrder'>, 'isRepeat' | 'reworkCount'>;
type Order = Wire<'RepairOrderDetail'>;

/** The machine has stopped and does not run again yet; a rework does not stop it anew. */
export function isStanding(order: Pick<Order, 'isStop' | 'stopEnd'>): boolean {
  return order.isStop === 1 && order.stopEnd === null;
}

export function LateMarks({ order }: { order: Late }) {
  const { t } = useTranslation();
  return (
    <>
      {order.isResponseLate === 1 && <ToneTag tone="bad">{t('repair.responseLate')}</ToneTag>}
      {order.isFinishLate === 1 && <ToneTag tone="bad">{t('repair.finishLate')}</ToneTag>}
    </>
  );
}

/** The fault has come back, or the repair was refused at its check. */
export function AgainMarks({ order }: { order: Again }) {
  const { t } = useTranslation();
  return (
    <>
      {order.isRepeat === 1 && <ToneTag tone="waiting">{t('repair.repeat')}</ToneTag>}
      {order.reworkCount > 0 && (
        <ToneTag tone="waiting">{t('repair.rework', { n: order.reworkCount })}</ToneTag>
      )}
    </>
  );
}

export function Marks({ order }: { order: Order }) {
  const { t } = useTranslation();
  return (
    <>
      {isStanding(order) && <ToneTag tone="bad">{t('repair.stopped')}</ToneTag>}
      <LateMarks order={order} />
      <AgainMarks order={order} />
    </>
  );
}
