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

/** What dialogs call it: by number and title, one of which may hold the other. */
export function nameOf({ businessNo, title }: Pick<Wire<'FollowRow'>, 'businessNo' | 'title'>): string {
  return title.includes(businessNo) ? title : `${businessNo} ${title}`;
}

/** Its title for where the number stands beside it; the title itself where it says nothing else. */
export function withoutNumber(title: string, businessNo: string): string {
  return (businessNo && title.replace(businessNo, '').replace(/\s+/g, ' ').trim()) || title;
}

export function State({ row }: { row: Wire<'FollowRow'> }) {
  const { t } = useTranslation();
  if (row.status !== RUNS)
    return <ToneTag tone={row.status === COMPLETED ? 'good' : 'off'}>{row.statusName}</ToneTag>;
  const isSuspended = row.suspensionState !== 1;
  if (!row.parked && !isSuspended) return <ToneTag tone="active">{t('work.running')}</ToneTag>;
  return (
    <>
      {row.parked && <ToneTag tone="bad">{t('work.parked')}</ToneTag>}
      {isSuspended && <ToneTag tone="waiting">{t('work.halted')}</ToneTag>}
    </>
  );
}
