/** The shell: side menu, header, visited pages, and the page in front. */
import { MenuFoldOutlined, MenuOutlined, MenuUnfoldOutlined } from '@ant-design/icons';
import { Button, Layout as Frame } from 'antd';
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useLanguage, useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { EmptyState, ErrorState } from '@/kit/states';
import { useStored } from '@/kit/useStored';
import { useBroad, usePhone, useWide } from '@/kit/width';
import { stored } from '@/lib/stored';
import { net, unsentCount } from '@/session/net';
import { useMenu } from '@/session/rights';
import { site } from '@/site';
import { HeaderControls } from './Header';
import { Sidebar } from './Sidebar';
import { Tabs } from './Tabs';
import { TopMenu } from './TopMenu';
import { withTexts } from './texts';

const UnsentBar = lazy(() => withTexts('app/Unsent', () => import('./Unsent')));

/** Whether the person folded the menu; before that the room decides. */
const folding = stored<boolean | null>('xunwei.folded', null);

export function Layout() {
  const { t } = useTranslation();
  const language = useLanguage();
  const wide = useWide();
  const phone = usePhone();
  const menu = useMenu();
  const { pathname } = useLocation();
  const broad = useBroad();
  const folded = useStored(folding) ?? !broad;
  const [drawer, setDrawer] = useState(false);

  const toggle = () => (wide ? folding.set(!folded) : setDrawer(true));
  const toggleLabel = wide ? t(folded ? 'app.unfoldMenu' : 'app.foldMenu') : t('app.openMenu');
  const toggleIcon = wide ? folded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined /> : <MenuOutlined />;

  return (
    <Frame hasSider className="x-shell">
      <a className="x-skip" href="#content">
        {t('app.skip')}
      </a>
      {wide && (
        <Frame.Sider className="x-side" width={216} collapsedWidth={56} collapsed={folded} trigger={null}>
          <Brand short={folded} />
          <Sidebar folded={folded} />
        </Frame.Sider>
      )}
      {!wide && (
        <Drawer
          rootClassName="x-side-drawer"
          open={drawer}
          placement="left"
          size={264}
          closable={false}
          aria-label={t('app.menu')}
          onClose={() => setDrawer(false)}
        >
          <Brand />
          <Sidebar onChoose={() => setDrawer(false)} />
        </Drawer>
      )}
      <Frame>
        <Frame.Header className="x-top">
          <Button type="text" icon={toggleIcon} aria-label={toggleLabel} onClick={toggle} />
          {!wide && <span className="x-top-name">{site.product[language]}</span>}
          <TopMenu />
          <div className="x-top-right">
            <HeaderControls />
          </div>
        </Frame.Header>
        {!phone && <Tabs />}
        <ConnectionBar />
        <Frame.Content id="content" data-path={pathname} className="x-content" tabIndex={-1}>
          {menu.error && !menu.data ? (
            <ErrorState error={menu.error} retry={menu.refetch} />
          ) : menu.data?.length === 0 ? (
            <EmptyState title={t('app.status.noMenu')} hint={t('app.status.noMenuHint')} />
          ) : (
            <Outlet />
          )}
        </Frame.Content>
      </Frame>
    </Frame>
  );
}

function Brand({ short }: { short?: boolean }) {
  const language = useLanguage();
  return (
    <Link to="/" className="x-brand" aria-label={site.product[language]}>
      <img src="/favicon.svg" alt="" width={28} height={28} />
      {!short && site.product[language]}
    </Link>
  );
}

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  const stop = net.listen(listener);
  return () => {
    stop();
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** A lost connection is a quiet bar, and so is what waits to be sent. */
function ConnectionBar() {
  const { t } = useTranslation();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine && !net.isDown());
  const count = useStored(unsentCount);
  return (
    <>
      {!online && (
        <div className="x-offline" role="status">
          {t('app.offline')}
        </div>
      )}
      {count > 0 && (
        <Suspense>
          <UnsentBar count={count} />
        </Suspense>
      )}
    </>
  );
}
