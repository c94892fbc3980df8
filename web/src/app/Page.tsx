/** One page of the table: its right, its title, its place while its code is fetched. */
import { Suspense, useEffect } from 'react';
import { useTranslation } from '@/i18n';
import { PageSkeleton } from '@/kit/states';
import { useCanOpen, useMenu } from '@/session/rights';
import { type Language, site } from '@/site';
import type { Route } from './routes';
import { StatusPage } from './StatusPage';

export function useTitle(page: string): void {
  const { i18n } = useTranslation();
  useEffect(() => {
    document.title = `${page} - ${site.product[i18n.language as Language]}`;
  }, [page, i18n.language]);
}

export function Page({ route }: { route: Route }) {
  const { t } = useTranslation();
  const menu = useMenu();
  const listed = useCanOpen(typeof route.menu === 'string' ? route.menu : route.path);
  useTitle(t(route.title));
  if (route.menu !== true && !listed) {
    // Closed until the menu is known. The layout says so when the menu cannot be had.
    return menu.data ? <StatusPage kind="forbidden" inside /> : <PageSkeleton rows={8} />;
  }
  return (
    <Suspense fallback={<PageSkeleton rows={8} />}>
      <route.Screen />
    </Suspense>
  );
}
