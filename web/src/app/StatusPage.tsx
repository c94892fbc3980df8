/** No such page, not allowed, did not open: what it means and where to go from here. */
import { CompassOutlined, LockOutlined, WarningOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { type ReactNode, useEffect } from 'react';
import { Link, useRouteError } from 'react-router';
import { useTranslation } from '@/i18n';
import { logError } from '@/session/errorLog';
import { useTitle } from './useTitle';

type Kind = 'notFound' | 'forbidden' | 'failed';

const ICONS: Readonly<Record<Kind, ReactNode>> = {
  notFound: <CompassOutlined className="x-state-icon" />,
  forbidden: <LockOutlined className="x-state-icon" />,
  failed: <WarningOutlined className="x-state-icon" />,
};

interface StatusPageProps {
  kind: Kind;
  /** Within the layout, whose navigation stays. */
  inside?: boolean;
}

export function StatusPage({ kind, inside }: StatusPageProps) {
  const { t } = useTranslation();
  const title = t(`app.status.${kind}`);
  useTitle(title);
  return (
    <main className={inside ? 'x-state' : 'x-state x-status'}>
      {ICONS[kind]}
      <h1>{title}</h1>
      <p>{t(`app.status.${kind}Hint`)}</p>
      {kind === 'failed' ? (
        <Button type="primary" onClick={() => window.location.reload()}>
          {t('app.status.reload')}
        </Button>
      ) : (
        <Link to="/">
          <Button type="primary">{t('app.status.back')}</Button>
        </Link>
      )}
    </main>
  );
}

/** A page that threw, or whose code could not be fetched. */
export function Failed() {
  const error = useRouteError();
  useEffect(() => logError(error, 'page'), [error]);
  return <StatusPage kind="failed" />;
}
