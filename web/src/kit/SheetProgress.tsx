/** How far an export or import of many rows is, in numbers too; the reason of what has failed. */
import { Progress } from 'antd';
import { useTranslation } from '@/i18n';
import { DONE, FAILED, IMPORT, RUNNING, type SheetJob } from './sheetJobs';

export function SheetProgress({ job }: { job: SheetJob }) {
  const { t } = useTranslation();
  const total = job.total ?? 0;
  const share = job.state === DONE ? 1 : total > 0 ? job.done / total : 0;
  const { created, updated, wrong } = job;
  return (
    <>
      {job.state === FAILED ? (
        job.reason
      ) : (
        <Progress
          aria-label={t('kit.sheet.progress')}
          size="small"
          percent={Math.floor(share * 100)}
          status={job.state === RUNNING ? 'active' : 'normal'}
          format={() => `${job.done.toLocaleString()} / ${job.total === null ? '–' : total.toLocaleString()}`}
          percentPosition={{ align: 'end', type: 'outer' }}
        />
      )}
      {job.kind === IMPORT && job.done > 0 && (
        <div className="x-hint">{t('kit.sheet.counts', { created, updated, wrong })}</div>
      )}
    </>
  );
}
