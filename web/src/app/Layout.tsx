/** The shell: header, side menu, and the page between them. */
import {
  AuditOutlined,
  GlobalOutlined,
  LogoutOutlined,
  MenuFoldOutlined,
  MenuOutlined,
  MenuUnfoldOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { App, Avatar, Badge, Button, Drawer, Dropdown, Layout as Frame, Tooltip } from 'antd';
import { useState, useSyncExternalStore } from 'react';
import { Link, Outlet } from 'react-router';
import { setLanguage, useLanguage, useTranslation } from '@/i18n';
import { EmptyState, ErrorState } from '@/kit/states';
import { usePhone, useWide } from '@/kit/width';
import { useCanOpen, useMenu } from '@/session/rights';
import { useSession } from '@/session/session';
import { signOut } from '@/session/sign';
import { site } from '@/site';
import { useCounts } from './counts';
import { Sidebar } from './Sidebar';

const FOLDED = 'xunwei.folded';
const TODO = '/work/todo';

export function Layout() {
  const { t } = useTranslation();
  const language = useLanguage();
  const wide = useWide();
  const menu = useMenu();
  const [folded, setFolded] = useState(() => localStorage.getItem(FOLDED) === '1');
  const [drawer, setDrawer] = useState(false);

  const fold = () => {
    localStorage.setItem(FOLDED, folded ? '0' : '1');
    setFolded(!folded);
  };
  const toggle = wide ? fold : () => setDrawer(true);
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
          <div className="x-top-right">
            <Todo />
            <LanguageSwitch />
            <UserMenu />
          </div>
        </Frame.Header>
        <ConnectionBar />
        <Frame.Content id="content" className="x-content" tabIndex={-1}>
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

function Todo() {
  const { t } = useTranslation();
  const { data } = useCounts();
  if (!useCanOpen(TODO)) return null;
  const count = data?.todo ?? 0;
  return (
    <Tooltip title={t('app.todo')}>
      <Link to={TODO} className="x-todo" aria-label={t('app.todoCount', { n: count })}>
        <Badge count={count} size="small" offset={[2, -2]}>
          <AuditOutlined />
        </Badge>
      </Link>
    </Tooltip>
  );
}

/** Offers the other language by its own name. */
export function LanguageSwitch() {
  const language = useLanguage();
  const other = language === 'zh-CN' ? 'en-US' : 'zh-CN';
  return (
    <Button type="text" icon={<GlobalOutlined />} lang={other} onClick={() => setLanguage(other)}>
      {OWN_NAMES[other]}
    </Button>
  );
}

const OWN_NAMES = { 'zh-CN': '\u4e2d\u6587', 'en-US': 'English' } as const;

function UserMenu() {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const session = useSession();
  const phone = usePhone();
  if (!session) return null;
  const leave = () =>
    modal.confirm({
      title: t('app.signOutTitle'),
      okText: t('app.signOut'),
      cancelText: t('kit.cancel'),
      onOk: signOut,
    });
  const items = [
    {
      key: 'who',
      type: 'group' as const,
      label: (
        <div className="x-who">
          <strong>{session.realName || session.account}</strong>
          <span>{session.account}</span>
          <span>{session.tenantName}</span>
        </div>
      ),
    },
    { type: 'divider' as const },
    { key: 'out', icon: <LogoutOutlined />, label: t('app.signOut'), onClick: leave },
  ];
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <Button
        type="text"
        className="x-user"
        aria-label={`${session.realName || session.account} ${t('app.userMenu')}`}
      >
        <Avatar size={26} src={session.avatar || undefined} icon={<UserOutlined />} />
        {!phone && <span>{session.realName || session.account}</span>}
      </Button>
    </Dropdown>
  );
}

function subscribe(listener: () => void) {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** A lost connection is a quiet bar. */
function ConnectionBar() {
  const { t } = useTranslation();
  const online = useSyncExternalStore(subscribe, () => navigator.onLine);
  if (online) return null;
  return (
    <div className="x-offline" role="status">
      {t('app.offline')}
    </div>
  );
}
