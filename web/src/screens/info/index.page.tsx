/** One's own account: what is known of oneself, and the password. */
import { CameraOutlined, UserOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { App, Avatar, Button, Switch, Tabs, Upload } from 'antd';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { TextField } from '@/kit/fields';
import { RecordForm, SubmitBar, useRecordForm } from '@/kit/form';
import { PasswordForm } from '@/kit/PasswordForm';
import { Section } from '@/kit/Section';
import { ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { phoneFault } from '@/lib/phone';
import { useRights } from '@/session/rights';
import { change } from '@/session/session';

type Me = Wire<'UserDetail'>;

const MOST_BYTES = 500 * 1024;

export default function Info() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  return (
    <>
      <div className="x-head">
        <h1>{t('app.pages.info')}</h1>
      </div>
      <section className="x-panel x-info">
        <Tabs
          activeKey={params.get('tab') === '2' ? '2' : '1'}
          onChange={(tab) => setParams({ tab }, { replace: true })}
          items={[
            { key: '1', label: t('info.edit'), children: <Edit /> },
            {
              key: '2',
              label: t('info.password'),
              children: (
                <div className="x-info-form">
                  <PasswordForm onDone={() => undefined} />
                </div>
              ),
            },
          ]}
        />
        <Digest />
      </section>
    </>
  );
}

/** Whether one gets a message each morning of what runs out and what went wrong. */
function Digest() {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['messages', 'digest'],
    queryFn: ({ signal }) => api.get('/blade-desk/message/digest', undefined, signal),
  });
  const choose = useAction<boolean>({
    run: (wanted) => api.post('/blade-desk/message/set-digest', { wanted: Number(wanted) }),
    invalidates: [['messages', 'digest']],
  });
  if (!data) return null;
  return (
    <Section title={t('info.messages')}>
      {Boolean(choose.error) && <ErrorLine error={choose.error} />}
      <label className="x-marks" htmlFor="digest">
        <Switch id="digest" checked={data.wanted === 1} loading={choose.busy} onChange={choose.run} />
        {t('info.digest')}
      </label>
      <p className="x-hint">{t('info.digestHint')}</p>
    </Section>
  );
}

function Edit() {
  const { data, error, refetch } = useQuery({
    queryKey: ['info'],
    queryFn: ({ signal }) => api.get('/blade-user/info', undefined, signal),
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  return <EditForm me={data} />;
}

function EditForm({ me }: { me: Me }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const keeps = useRights()('user_edit');
  const [avatar, setAvatar] = useState(me.avatar);
  const [busy, setBusy] = useState(false);
  const { name, realName, phone, email } = me;
  const handle = useRecordForm<Wire<'PatchedOwnInfoRequest'>>({
    initial: { name, realName, phone, email },
    submit: (values) => api.post('/blade-user/update-info', { ...values, avatar }),
    invalidates: [['info']],
    success: t('kit.done'),
    onDone: (): void =>
      change({ avatar, realName: String(handle.form.getFieldValue('realName') ?? realName) }),
  });
  const take = async (file: File) => {
    if (!['image/jpeg', 'image/png'].includes(file.type) || file.size > MOST_BYTES) {
      message.error(t('info.avatarTip'));
      return;
    }
    setBusy(true);
    try {
      const { link } = await api.upload('/blade-resource/oss/endpoint/put-file', file);
      setAvatar(link);
      await api.post('/blade-user/update-info', { avatar: link });
      change({ avatar: link });
      message.success(t('kit.done'));
    } catch (refusal) {
      message.error(refusal instanceof Error ? refusal.message : t('kit.error.unknown'));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="x-info-form">
      <div className="x-info-avatar">
        <Avatar size={88} src={avatar || undefined} icon={<UserOutlined />} />
        <div>
          <Upload
            accept="image/jpeg,image/png"
            showUploadList={false}
            beforeUpload={(file) => {
              take(file);
              return false;
            }}
          >
            <Button icon={<CameraOutlined />} loading={busy}>
              {t('info.avatar')}
            </Button>
          </Upload>
          <p className="x-hint">{t('info.avatarTip')}</p>
        </div>
      </div>
      <RecordForm handle={handle} narrow>
        <TextField
          name="realName"
          label={t('info.realName')}
          required
          max={40}
          disabled={!keeps}
          hint={keeps ? undefined : t('info.realNameHint')}
        />
        <TextField name="name" label={t('info.name')} max={40} />
        <TextField
          name="phone"
          label={t('info.phone')}
          rules={[
            {
              validator: async (_, value?: string) => {
                const fault = phoneFault(value);
                if (fault) throw new Error(t(fault === 'length' ? 'info.phoneLength' : 'info.phoneFormat'));
              },
            },
          ]}
        />
        <TextField name="email" label={t('info.email')} max={80} />
      </RecordForm>
      <SubmitBar handle={handle} />
    </div>
  );
}
