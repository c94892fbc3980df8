/** The published years, and how many of their days are not there yet; a year is taken over with one click. */
import { useQuery } from '@tanstack/react-query';
import { App, Button, Table } from 'antd';
import { api } from '@/api/client';
import { holiday } from '@/api/nouns/holiday';
import { useTranslation } from '@/i18n';
import { Modal } from '@/kit/overlays';
import { ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';

export function TakeOver({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const { data, error, refetch } = useQuery({
    queryKey: [holiday.name, 'published'],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/holiday/published', undefined, signal),
    staleTime: 0,
  });
  const action = useAction({
    run: (year: number) => api.post('/yuzhu-equip/holiday/takeOver', { year }),
    invalidates: [[holiday.name]],
    onDone: ({ added, known }) => {
      message.success(t('system.holiday.taken', { count: added, known }));
    },
  });
  return (
    <Modal open centered title={t('system.holiday.takeOver')} onCancel={onClose} footer={null}>
      <p className="x-hint">{t('system.holiday.takeOverHint')}</p>
      {action.error !== undefined && <ErrorLine error={action.error} />}
      {error && !data ? (
        <ErrorState error={error} retry={refetch} />
      ) : data ? (
        <Table
          dataSource={data}
          rowKey="year"
          size="small"
          pagination={false}
          showHeader={false}
          columns={[
            { key: 'year', render: (_, { year }) => <strong>{t('system.holiday.year', { year })}</strong> },
            {
              key: 'missing',
              render: (_, { days, missing }) => t('system.holiday.missing', { count: days, missing }),
            },
            {
              key: 'take',
              align: 'right',
              render: (_, { year, missing }) => (
                <Button disabled={missing === 0} loading={action.busy} onClick={() => action.run(year)}>
                  {t(missing === 0 ? 'system.holiday.complete' : 'system.holiday.take')}
                </Button>
              ),
            },
          ]}
        />
      ) : (
        <PageSkeleton rows={2} />
      )}
    </Modal>
  );
}
