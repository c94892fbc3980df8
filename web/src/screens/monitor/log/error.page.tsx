/** Errors of the server, and those that consoles have sent. */
import { logError } from '@/api/nouns/logError';
import { useTranslation } from '@/i18n';
import { NounPage } from '@/kit/NounPage';
import { useTenantChoice } from '@/screens/shared/tenantChoice';

export default function ErrorLog() {
  const { t } = useTranslation();
  const { tenantId, picker } = useTenantChoice();
  return (
    <NounPage
      key={tenantId}
      noun={logError}
      fixed={{ tenantId }}
      actions={() => picker}
      name="exceptionName"
      columns={['createTime', 'originName', 'exceptionName', 'message', 'createBy', 'requestId']}
      filters={['message', 'origin', 'createTime', 'exceptionName', 'createBy', 'requestId']}
      form={[]}
      show={{ createTime: (row) => row.createTime }}
      empty={{ title: t('log.empty'), hint: t('log.emptyError') }}
      detail={[
        'createTime',
        'origin',
        'exceptionName',
        'message',
        'requestUri',
        'createBy',
        'remoteIp',
        'requestId',
        'fileName',
        'lineNumber',
        'userAgent',
        'stackTrace',
      ]}
    />
  );
}
