/** Calls that changed something or were refused. */
import { logApi } from '@/api/nouns/logApi';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
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
      columns={['createTime', 'title', 'status', 'milliseconds', 'createBy', 'remoteIp', 'requestId']}
      filters={['requestUri', 'createBy', 'createTime', 'status', 'requestId']}
      form={[]}
      show={{ createTime: (row) => row.createTime }}
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
