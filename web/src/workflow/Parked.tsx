/** Why a process stands still, said where its step is handled and over its diagram; who may lets it go on. */
import { Alert, Button } from 'antd';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { useCan } from '@/session/rights';

interface ParkedProps {
  text: string;
  processInstanceId: string;
}

export function Parked({ text, processInstanceId }: ParkedProps) {
  const { t } = useTranslation();
  const may = useCan('flow_follow_retry');
  const retry = useAction({
    run: () => api.post('/blade-flow/follow/retry-process-instance', undefined, { processInstanceId }),
    // Whatever shows the process or its record may offer its steps again.
    invalidates: [[]],
    success: t('work.retried'),
  });
  return (
    <>
      <Alert
        type="warning"
        showIcon
        title={t(may ? 'work.parkedFor' : 'work.parkedBecause', { text })}
        action={
          may && (
            <Button loading={retry.busy} onClick={() => retry.run()}>
              {t('work.retry')}
            </Button>
          )
        }
      />
      {Boolean(retry.error) && <ErrorLine error={retry.error} onConflict={retry.reset} />}
    </>
  );
}
