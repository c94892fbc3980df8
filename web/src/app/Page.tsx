/** One page of the table: its right, its title, its place while its code is fetched. */
import { Suspense, useCallback, useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { ContentTitle } from '@/kit/contentTitle';
import { PageSkeleton } from '@/kit/states';
import { useCanOpen, useEntry, useMenu } from '@/session/rights';
import { metaOf } from './menu';
import type { Route } from './route';
import { StatusPage } from './StatusPage';
import { name, visit } from './tabs';
import { useRouteTitle } from './useRouteTitle';
import { useTitle } from './useTitle';

export function Page({ route }: { route: Route }) {
  const titleOf = useRouteTitle();
  const menu = useMenu();
  const listed = useCanOpen(typeof route.menu === 'string' ? route.menu : route.path);
  const { pathname, search } = useLocation();
  const entry = useEntry(route.path);
  const open = route.menu === true || listed;
  const isTab = entry === undefined || metaOf(entry).isTab !== false;
  useEffect(() => {
    if (open && isTab) visit(pathname, pathname + search);
  }, [open, isTab, pathname, search]);
  const [content, setContent] = useState<{ path: string; title: string }>();
  const tell = useCallback(
    (title: string | undefined) => setContent(title ? { path: pathname, title } : undefined),
    [pathname],
  );
  const title = content?.path === pathname ? content.title : undefined;
  useEffect(() => {
    if (title) name(pathname, title);
  }, [pathname, title]);
  useTitle(title ?? titleOf(route) ?? entry?.name ?? '');
  if (!open) {
    // Closed until the menu is known. The layout says so when the menu cannot be had.
    return menu.data ? <StatusPage kind="forbidden" inside /> : <PageSkeleton rows={8} />;
  }
  return (
    <ContentTitle value={tell}>
      <Suspense fallback={<PageSkeleton rows={8} />}>
        <route.Screen />
      </Suspense>
    </ContentTitle>
  );
}
