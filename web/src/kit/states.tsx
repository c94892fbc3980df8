/** What stands in place of content: loading, nothing there, did not load; and a refused action's sentence. */
import { CloudOutlined, InboxOutlined } from '@ant-design/icons';
import { Alert, Button, Skeleton } from 'antd';
import type { ReactNode } from 'react';
import { ApiError } from '@/api/client';
import { useTranslation } from '@/i18n';

export function PageSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className="x-panel x-skeleton" aria-busy="true" data-loading>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
        <Skeleton key={row} active title={{ width: `${85 - (row % 3) * 15}%` }} paragraph={false} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  title: string;
  /** Why it is empty, or what to do. */
  hint?: string;
  /** The first step, as a button. */
  action?: ReactNode;
}

export function EmptyState({ title, hint, action }: EmptyStateProps) {
  return (
    <div className="x-state">
      <InboxOutlined className="x-state-icon" />
      <h2>{title}</h2>
      {hint && <p>{hint}</p>}
      {action}
    </div>
  );
}

function RequestId({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiError) || !error.requestId) return null;
  return <span className="x-request">{t('kit.error.request', { id: error.requestId })}</span>;
}

function useSentence(error: unknown): string {
  const { t } = useTranslation();
  return error instanceof ApiError ? error.msg : t('kit.error.unknown');
}

/** In place of what did not load. */
export function ErrorState({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation();
  const sentence = useSentence(error);
  return (
    <div className="x-state" role="alert">
      <CloudOutlined className="x-state-icon" />
      <h2>{t('kit.error.title')}</h2>
      <p>{sentence}</p>
      <Button onClick={retry}>{t('kit.retry')}</Button>
      <RequestId error={error} />
    </div>
  );
}

interface ErrorLineProps {
  error: unknown;
  /** Where the record was changed by somebody else meanwhile: offers to look at it as it is now. */
  onConflict?: () => void;
}

/** Beside the button whose action was refused; nothing without an error. */
export function ErrorLine({ error, onConflict }: ErrorLineProps) {
  const { t } = useTranslation();
  const sentence = useSentence(error);
  if (!error) return null;
  const conflict = onConflict && error instanceof ApiError && error.code === 409;
  return (
    <Alert
      type={conflict ? 'warning' : 'error'}
      showIcon
      title={sentence}
      description={<RequestId error={error} />}
      action={conflict && <Button onClick={onConflict}>{t('kit.refresh')}</Button>}
    />
  );
}
