/** How a followed process stands, and what an act on one makes out of date. */
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';
import { CHANGED } from '@/workflow/deploy/changed';
import { TOUCHED } from '@/workflow/queries';

/** Records show their processes too. */
export const TOUCHES = [...CHANGED, ...TOUCHED, ['orders'], ['case']];
/** Statuses of a process; the others ended it before its end. */
const [RUNS, COMPLETED] = [1, 2];

export function State({ row }: { row: Wire<'FollowRow'> }) {
  const { t } = useTranslation();
  if (row.status !== RUNS)
    return <ToneTag tone={row.status === COMPLETED ? 'good' : 'off'}>{row.statusName}</ToneTag>;
  if (row.parked) return <ToneTag tone="bad">{t('work.parked')}</ToneTag>;
  if (row.suspensionState !== 1) return <ToneTag tone="waiting">{t('flow.halted')}</ToneTag>;
  return <ToneTag tone="active">{t('work.running')}</ToneTag>;
}
