/** Calls that changed something or were refused. */
import { logApi } from '@/api/nouns/logApi';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { ToneTag } from '@/kit/StateTag';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

export default function CallLog() {
  const { t } = useTranslation();
  const { tenantId, picker } = useTenantChoice();
  return (
    <NounPage
      key={tenantId}
      noun={logApi}
      fixed={{ tenantId }}
      actions={() => picker}
      name="title"
      columns={[
        'createTime',
        { key: 'title', width: 260 },
        'status',
        'milliseconds',
        'createBy',
        'remoteIp',
        'requestId',
      ]}
      filters={['requestUri', 'createBy', 'createTime', 'status', 'requestId']}
      form={[]}
      show={{
        createTime: (row) => row.createTime,
        status: (row) => <ToneTag tone={row.status < 400 ? 'good' : 'bad'}>{row.status}</ToneTag>,
      }}
      empty={{ title: t('log.empty'), hint: t('log.emptyApi') }}
      detail={[
        'createTime',
        'method',
        'requestUri',
        'status',
        'milliseconds',
        'createBy',
        'remoteIp',
        'requestId',
        'userAgent',
        'params',
      ]}
    />
  );
}
