/** Connection credentials: secret headers that processes send to other systems, named in models by their code. */
import { Input } from 'antd';
import { credential } from '@/api/nouns/credential';
import { useTranslation } from '@/i18n';
import { Field } from '@/kit/fields';
import { NounPage } from '@/kit/NounPage';

const MOST = 4000;

export default function Credentials() {
  const { t } = useTranslation();
  return (
    <NounPage
      noun={credential}
      name="credentialName"
      columns={[
        { key: 'credentialName', width: 160 },
        { key: 'credentialCode', width: 120 },
        { key: 'isEnabledName', width: 100 },
        { key: 'hosts', width: 220 },
        { key: 'headerName', width: 130 },
        { key: 'secretTime', width: 160 },
        'remark',
      ]}
      filters={['credentialName', 'credentialCode', 'hosts', 'isEnabled']}
      form={[
        { key: 'credentialCode', hint: t('system.credential.codeHint') },
        'credentialName',
        { key: 'headerName', hint: t('system.credential.headerHint') },
        'isEnabled',
        {
          key: 'secret',
          full: true,
          control: (props, _form, row) => (
            <Field
              {...props}
              kind="enter"
              required={!row}
              hint={t(row ? 'system.credential.secretKept' : 'system.credential.secretHint')}
              rules={[{ max: MOST, message: t('kit.form.tooLong', { field: props.label, count: MOST }) }]}
            >
              <Input.Password autoComplete="new-password" />
            </Field>
          ),
        },
        { key: 'hosts', full: true, hint: t('system.credential.hostsHint') },
        'remark',
      ]}
      card={(row) => ({
        title: row.credentialName,
        meta: [`${row.credentialCode} · ${row.isEnabledName}`, row.hosts],
      })}
      initial={{ headerName: 'Authorization', isEnabled: 1 }}
      removeHint={t('system.credential.removeHint')}
      empty={{ title: t('system.credential.none'), hint: t('system.credential.noneHint') }}
    />
  );
}
