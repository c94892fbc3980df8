/** Programs that people sign in with. */
import { Select } from 'antd';
import { useState } from 'react';
import { client } from '@/api/nouns/client';
import { useTranslation } from '@/i18n';
import { Field } from '@/kit/fields';
import { NounPage } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { type Secret, ShownOnce } from './ShownOnce';

/** The grants that the server knows. */
const GRANTS = ['password', 'captcha', 'slider_captcha', 'refresh_token', 'social', 'authorization_code'];

export default function Clients() {
  const { t } = useTranslation();
  const label = useLabels(client);
  const [secret, setSecret] = useState<Secret>();
  return (
    <>
      <NounPage
        noun={client}
        name="clientId"
        columns={[
          'clientId',
          { key: 'authorizedGrantTypes', width: 280 },
          'scope',
          { key: 'accessTokenValidity', width: 180 },
          { key: 'refreshTokenValidity', width: 180 },
          'remark',
        ]}
        filters={['clientId', 'scope']}
        form={[
          'clientId',
          { key: 'clientSecret', hint: t('people.client.secretHint') },
          {
            key: 'authorizedGrantTypes',
            full: true,
            control: (props) => (
              <Field
                {...props}
                kind="choose"
                getValueProps={(text?: string) => ({ value: text ? text.split(',') : [] })}
                getValueFromEvent={(chosen: string[]) => chosen.join(',')}
              >
                <Select mode="multiple" options={GRANTS.map((grant) => ({ value: grant, label: grant }))} />
              </Field>
            ),
          },
          'scope',
          'resourceIds',
          'accessTokenValidity',
          'refreshTokenValidity',
          'webServerRedirectUri',
          'authorities',
          'autoapprove',
          'additionalInformation',
          'remark',
        ]}
        card={(row) => ({ title: row.clientId, meta: [row.authorizedGrantTypes, row.remark] })}
        initial={{
          scope: 'all',
          authorizedGrantTypes: 'password,refresh_token',
          accessTokenValidity: 3600,
          refreshTokenValidity: 604_800,
        }}
        onAdded={(answer, values) => {
          const { id, clientSecret } = answer as { id: string; clientSecret?: string };
          if (clientSecret) setSecret({ key: id, account: String(values.clientId), password: clientSecret });
        }}
      />
      {secret && (
        <ShownOnce
          title={t('people.once.secret')}
          note={t('people.once.secretNote')}
          heads={{ account: label('clientId'), password: label('clientSecret') }}
          secrets={[secret]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}
