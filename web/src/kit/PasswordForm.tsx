/** Changing one's password: the old one, the new one by the rule, and once more. */
import { Button, Form, Input } from 'antd';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { md5 } from '@/lib/md5';
import { passwordFault } from '@/lib/password';
import { inSentence } from '@/lib/sentence';
import { ErrorLine } from './states';
import { useAction } from './useAction';
import { usePhone } from './width';

interface Fields {
  old: string;
  next: string;
  again: string;
}

export function PasswordForm({ onDone, submitText }: { onDone: () => void; submitText?: string }) {
  const { t } = useTranslation();
  const phone = usePhone();
  const [form] = Form.useForm<Fields>();
  const action = useAction<Fields>({
    run: ({ old, next, again }) =>
      api.post('/blade-auth/oauth/update-password', {
        oldPassword: md5(old.trim()),
        newPassword: md5(next.trim()),
        newPassword1: md5(again.trim()),
      }),
    success: t('kit.done'),
    onDone: () => {
      form.resetFields();
      onDone();
    },
  });
  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      size={phone ? 'large' : undefined}
      requiredMark={false}
      onFinish={action.run}
      disabled={action.busy}
    >
      <Form.Item
        name="old"
        label={t('kit.password.old')}
        rules={[
          {
            required: true,
            whitespace: true,
            message: t('kit.form.enter', { field: inSentence(t('kit.password.old')) }),
          },
        ]}
      >
        <Input.Password autoComplete="current-password" />
      </Form.Item>
      <Form.Item
        name="next"
        label={t('kit.password.next')}
        extra={t('kit.password.rule')}
        rules={[
          {
            validator: async (_, value: string) => {
              const fault = passwordFault(value ?? '');
              if (fault) throw new Error(t(`kit.password.${fault}`));
            },
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      <Form.Item
        name="again"
        label={t('kit.password.again')}
        dependencies={['next']}
        rules={[
          {
            validator: async (_, value: string) => {
              if ((value ?? '').trim() !== String(form.getFieldValue('next') ?? '').trim())
                throw new Error(t('kit.password.differ'));
            },
          },
        ]}
      >
        <Input.Password autoComplete="new-password" />
      </Form.Item>
      {action.error ? <ErrorLine error={action.error} /> : null}
      <div className="x-bar">
        <Button type="primary" htmlType="submit" loading={action.busy}>
          {submitText ?? t('kit.save')}
        </Button>
      </div>
    </Form>
  );
}
