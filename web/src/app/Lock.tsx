/** The lock: a dialog that sets its password, and the page that stands in front of everything while it is closed. */
import { LockOutlined, LogoutOutlined } from '@ant-design/icons';
import { Button, Form, Input } from 'antd';
import { useEffect, useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { useTranslation } from '@/i18n';
import { useConfirm } from '@/kit/leaving';
import { Modal } from '@/kit/overlays';
import { useStored } from '@/kit/useStored';
import { hasDrafts } from '@/session/drafts';
import { lock, lockNow, setLockPassword, unlock } from '@/session/lock';
import { useSession } from '@/session/session';
import { signOut } from '@/session/sign';
import { site } from '@/site';
import { type LockState, useLockUp } from './lockUp';
import { useTitle } from './useTitle';

export function LockDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const lockUp = useLockUp();
  const [form] = Form.useForm<{ password: string }>();
  return (
    <Modal
      open
      centered
      width={400}
      title={t('app.lock.setTitle')}
      okText={t('app.lock.lock')}
      cancelText={t('kit.cancel')}
      onOk={form.submit}
      onCancel={onClose}
    >
      <p>{t('app.lock.setHint')}</p>
      <Form
        form={form}
        layout="vertical"
        requiredMark={false}
        onFinish={({ password }) => {
          setLockPassword(password);
          onClose();
          lockUp();
        }}
      >
        <Form.Item
          name="password"
          label={t('app.lock.password')}
          rules={[{ required: true, whitespace: true, message: t('app.lock.empty') }]}
        >
          <Input.Password autoFocus autoComplete="off" />
        </Form.Item>
      </Form>
    </Modal>
  );
}

export default function LockPage() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const session = useSession();
  const { locked } = useStored(lock);
  const navigate = useNavigate();
  const { from, close } = (useLocation().state ?? {}) as LockState;
  const [wrong, setWrong] = useState(false);
  useTitle(t('app.lock.title'));
  useEffect(() => {
    if (!close) return;
    lockNow();
    // Said once: unlocked, it must not close again.
    navigate('/lock', { replace: true, state: { from } });
  }, [close, from, navigate]);
  if (close) return null;
  if (!locked) return <Navigate to={session ? (from ?? site.home) : '/login'} replace />;
  const leave = () =>
    confirm({
      title: t('app.signOutTitle'),
      content: hasDrafts() ? t('app.signOutDrafts') : undefined,
      okText: t('app.signOut'),
      cancelText: t('kit.cancel'),
      onOk: async () => {
        await signOut();
        navigate('/login');
      },
    });
  return (
    <main className="x-lock">
      <LockOutlined className="x-lock-icon" />
      <h1>{session?.realName || t('app.lock.title')}</h1>
      <p>{t('app.lock.hint')}</p>
      <Form<{ password: string }>
        requiredMark={false}
        onFinish={({ password }) => {
          setWrong(!unlock(password));
        }}
        onValuesChange={() => setWrong(false)}
      >
        <Form.Item
          name="password"
          rules={[{ required: true, whitespace: true, message: t('app.lock.empty') }]}
          validateStatus={wrong ? 'error' : undefined}
          help={wrong ? t('app.lock.wrong') : undefined}
        >
          <Input.Password
            size="large"
            autoFocus
            autoComplete="off"
            aria-label={t('app.lock.password')}
            placeholder={t('app.lock.password')}
          />
        </Form.Item>
        <Button type="primary" size="large" htmlType="submit" block>
          {t('app.lock.unlock')}
        </Button>
      </Form>
      <Button type="link" icon={<LogoutOutlined />} onClick={leave}>
        {t('app.signOut')}
      </Button>
    </main>
  );
}
