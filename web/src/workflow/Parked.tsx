/** Why a process stands still, said above its document and where its step is handled; who may lets a parked one go on. */
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

interface StillProps {
  /** Both empty of a process that moves. */
  haltedText: string | undefined;
  parkedText: string | undefined;
  processInstanceId: string;
}

export function isStill({ haltedText, parkedText }: Pick<StillProps, 'haltedText' | 'parkedText'>): boolean {
  return Boolean(haltedText || parkedText);
}

/** Suspended, alone or with its definition; or parked; or nothing. */
export function Still({ haltedText, parkedText, processInstanceId }: StillProps) {
  if (haltedText) return <Alert type="warning" showIcon title={haltedText} />;
  return parkedText ? <Parked text={parkedText} processInstanceId={processInstanceId} /> : null;
}

/** The same over a document that no task's head stands on. */
export function StillAbove(props: StillProps) {
  if (!isStill(props)) return null;
  return (
    <div className="x-block">
      <Still {...props} />
    </div>
  );
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
