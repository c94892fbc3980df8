/** The console's own errors: to look at, to send to the server, to clear. */
import { App, Button, Empty, Table } from 'antd';
import { useTranslation } from '@/i18n';
import { useConfirm } from '@/kit/leaving';
import { Modal } from '@/kit/overlays';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { useStored } from '@/kit/useStored';
import { clearErrors, errorLog, type LoggedError, sendErrors } from '@/session/errorLog';

export default function ErrorLog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const errors = useStored(errorLog);
  const send = useAction({ run: sendErrors, success: t('app.errors.sent') });
  const ask = (title: string, yes: () => unknown) =>
    confirm({ title, okText: t('kit.confirm'), cancelText: t('kit.cancel'), onOk: yes });
  return (
    <Modal
      open
      width={880}
      title={t('app.errors.title')}
      onCancel={onClose}
      footer={
        errors.length > 0 && [
          <Button
            key="send"
            type="primary"
            loading={send.busy}
            onClick={() => ask(t('app.errors.sendAsk'), send.run)}
          >
            {t('app.errors.send')}
          </Button>,
          <Button
            key="clear"
            danger
            onClick={() =>
              ask(t('app.errors.clearAsk'), () => {
                clearErrors();
                message.success(t('app.errors.cleared'));
              })
            }
          >
            {t('app.errors.clear')}
          </Button>,
        ]
      }
    >
      <ErrorLine error={send.error} />
      {errors.length === 0 ? (
        <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('app.errors.none')} />
      ) : (
        <Table<LoggedError & { key: number }>
          size="small"
          // The same thing may happen twice in a second: counted from the oldest, so that a new one moves none.
          dataSource={errors.map((error, at) => ({ ...error, key: errors.length - at }))}
          pagination={false}
          scroll={{ x: 760, y: 420 }}
          columns={[
            { title: t('app.errors.type'), dataIndex: 'type', width: 90 },
            { title: t('app.errors.address'), dataIndex: 'url', width: 160, ellipsis: true },
            { title: t('app.errors.message'), dataIndex: 'message' },
            { title: t('app.errors.time'), dataIndex: 'time', width: 160 },
          ]}
          expandable={{
            expandedRowRender: (row) => (
              <pre className="x-stack">{[row.info, row.stack].filter(Boolean).join('\n') || '-'}</pre>
            ),
          }}
        />
      )}
    </Modal>
  );
}
