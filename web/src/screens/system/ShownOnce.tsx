/** Passwords that the server made up and shows this one time: to be copied, and closed only on purpose. */
import { CopyOutlined } from '@ant-design/icons';
import { Alert, App, Button, Table } from 'antd';
import { useTranslation } from '@/i18n';
import { Modal } from '@/kit/overlays';

export interface Secret {
  /** The person's id, or whatever tells the rows apart. */
  key: string;
  tenantId?: string;
  account: string;
  name?: string;
  password: string;
}

interface ShownOnceProps {
  title?: string;
  note?: string;
  /** What the two columns are called where it is no account. */
  heads?: { account: string; password: string };
  secrets: readonly Secret[];
  onClose: () => void;
}

export function ShownOnce({ title, note, heads, secrets, onClose }: ShownOnceProps) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const parts = (secret: Secret) => [secret.tenantId, secret.account, secret.name, secret.password];
  const copy = async () => {
    const lines = secrets.map((secret) => parts(secret).filter(Boolean).join('\t'));
    try {
      await navigator.clipboard.writeText(lines.join('\n'));
      message.success(t('people.once.copied'));
    } catch {
      // Clipboards need a secure origin, which a console inside a plant often has not.
      message.warning(t('people.once.failed'));
    }
  };
  const column = (name: 'tenantId' | 'account' | 'name' | 'password', head: string) => ({
    title: head,
    dataIndex: name,
    render: (text?: string) =>
      name === 'password' ? <code style={{ userSelect: 'all' }}>{text}</code> : text,
  });
  return (
    <Modal
      open
      centered
      width={secrets.some((secret) => secret.tenantId) ? 640 : 560}
      title={title ?? t('people.once.title')}
      // What is closed by mistake is lost.
      mask={{ closable: false }}
      keyboard={false}
      closable={false}
      onCancel={onClose}
      footer={[
        <Button key="copy" icon={<CopyOutlined />} onClick={copy}>
          {t('people.once.copy')}
        </Button>,
        <Button key="close" type="primary" onClick={onClose}>
          {t('people.once.close')}
        </Button>,
      ]}
    >
      <Alert type="warning" showIcon title={note ?? t('people.once.note')} style={{ marginBottom: 12 }} />
      <Table<Secret>
        size="small"
        rowKey="key"
        dataSource={[...secrets]}
        pagination={false}
        scroll={{ x: 'max-content', y: 320 }}
        columns={[
          ...(secrets.some((secret) => secret.tenantId) ? [column('tenantId', t('people.once.tenant'))] : []),
          column('account', heads?.account ?? t('people.once.account')),
          ...(secrets.some((secret) => secret.name) ? [column('name', t('people.once.name'))] : []),
          column('password', heads?.password ?? t('people.once.password')),
        ]}
      />
    </Modal>
  );
}
