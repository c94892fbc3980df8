/** A foreign page inside the console; which one is the menu's to say, never the address's. */
import { useParams } from 'react-router';
import { useTranslation } from '@/i18n';
import { PageSkeleton } from '@/kit/states';
import { useMenu } from '@/session/rights';
import { isFramed, sandboxOf } from './frames';
import { entryWithCode } from './menu';
import { StatusPage } from './StatusPage';
import { useTitle } from './useTitle';

export default function Frame() {
  const { t } = useTranslation();
  const { code = '' } = useParams();
  const menu = useMenu();
  const entry = entryWithCode(menu.data ?? [], code);
  useTitle(entry?.name ?? t('app.frame'));
  if (!menu.data) return <PageSkeleton rows={8} />;
  if (!entry || !isFramed(entry.path)) return <StatusPage kind="forbidden" inside />;
  return (
    <iframe
      className="x-frame"
      title={entry.name}
      src={entry.path}
      sandbox={sandboxOf(entry.path)}
      referrerPolicy="no-referrer"
    />
  );
}
