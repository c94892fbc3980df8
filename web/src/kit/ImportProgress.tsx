/** An import that goes on in the background: how far it is, and in the end the rows that were left out. */
import { DownloadOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Space } from 'antd';
import { Link } from 'react-router';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { SheetProgress } from './SheetProgress';
import { isOpen, SHEET_JOBS, SHEETS, saveSheet } from './sheetJobs';
import { ErrorLine } from './states';
import { useAction } from './useAction';
import { useRefresh } from './useRefresh';

const POLL_MILLISECONDS = 2000;

interface ImportProgressProps {
  id: string;
  /** Query keys that the imported rows put out of date. */
  invalidates: readonly (readonly unknown[])[];
}

export function ImportProgress({ id, invalidates }: ImportProgressProps) {
  const { t } = useTranslation();
  const { data: job, error } = useQuery({
    queryKey: [SHEET_JOBS, id],
    queryFn: ({ signal }) => api.get('/blade-desk/sheetjob/detail', { id }, signal),
    refetchInterval: ({ state }) => (!state.data || isOpen(state.data) ? POLL_MILLISECONDS : false),
  });
  const download = useAction({ run: () => saveSheet(id) });
  const ended = job !== undefined && !isOpen(job);
  useRefresh(ended, invalidates);
  return (
    <>
      <p>{t(ended ? 'kit.sheet.ended' : 'kit.sheet.inBackground')}</p>
      {job && <SheetProgress job={job} />}
      <ErrorLine error={error ?? download.error} />
      <Space className="x-sheet-after">
        {job?.fileName && (
          <Button icon={<DownloadOutlined />} loading={download.busy} onClick={() => download.run()}>
            {t('kit.sheet.downloadWrong')}
          </Button>
        )}
        <Link to={SHEETS}>{t('kit.sheet.laterLink')}</Link>
      </Space>
    </>
  );
}
