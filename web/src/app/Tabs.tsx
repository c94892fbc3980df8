/** The row of visited pages below the header. */
import { CloseOutlined, DownOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App, Button, Dropdown, type MenuProps } from 'antd';
import { useEffect, useRef } from 'react';
import { Link, matchPath, useLocation, useNavigate } from 'react-router';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { useConfirm } from '@/kit/leaving';
import { useStored } from '@/kit/useStored';
import { randomKey } from '@/lib/random';
import { useMenu } from '@/session/rights';
import { site } from '@/site';
import { frameCode } from './frames';
import { entryAt, entryWithCode } from './menu';
import { routes } from './routes';
import { closed, onlyThis, type Tab, tabs } from './tabs';
import { useRouteTitle } from './useRouteTitle';

/** What a tab is called, in the language of now. */
function useName(): (tab: Tab) => string {
  const titleOf = useRouteTitle();
  const { data = [] } = useMenu();
  return ({ path, content }) => {
    if (content) return content;
    const code = frameCode(path);
    if (code) return entryWithCode(data, code)?.name ?? code;
    const route = routes.find((one) => matchPath(one.path, path));
    return (route && titleOf(route)) ?? entryAt(data, path)?.name ?? path;
  };
}

export function Tabs() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const confirm = useConfirm();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  const open = useStored(tabs);
  const name = useName();
  const front = useRef<HTMLLIElement>(null);
  const leaving = useRef<{ key: string; left: (open: readonly Tab[]) => readonly Tab[] }>(undefined);
  const called = open.find((tab) => tab.path === pathname);
  const title = called && name(called);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page in front has changed, has become a tab or got its name
  useEffect(() => {
    // Newer browsers answer a promise, which React would take for the effect's end.
    front.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname, title]);

  // A page with something unsaved asks before it is left, and may stay: tabs go once its own way out has been taken,
  // which is known by the key that travels with it.
  const leave = (to: string, left: (open: readonly Tab[]) => readonly Tab[]) => {
    const key = randomKey();
    leaving.current = { key, left };
    navigate(to, { state: { tabs: key } });
  };
  useEffect(() => {
    const { key, left } = leaving.current ?? {};
    if (!left || (state as { tabs?: string } | null)?.tabs !== key) return;
    leaving.current = undefined;
    tabs.set(left(tabs.get()));
  }, [state]);
  const close = (path: string) => {
    if (path === pathname) leave(closed(open, path).next.address, (now) => closed(now, path).open);
    else tabs.set(closed(open, path).open);
  };
  const closeOthers = (path: string) => {
    const address = open.find((tab) => tab.path === path)?.address;
    if (path === pathname || !address) tabs.set(onlyThis(open, path));
    else leave(address, (now) => onlyThis(now, path));
  };
  const clearCache = () =>
    confirm({
      title: t('app.tabs.clearCacheAsk'),
      okText: t('kit.confirm'),
      cancelText: t('kit.cancel'),
      onOk: async () => {
        await api.get('/blade-auth/oauth/clear-cache');
        await client.invalidateQueries();
        message.success(t('app.tabs.cleared'));
      },
    });
  const menuOf = (path: string): MenuProps => ({
    items: [
      { key: 'cache', label: t('app.tabs.clearCache') },
      { key: 'others', label: t('app.tabs.closeOthers'), disabled: open.length < 2 },
      { key: 'all', label: t('app.tabs.closeAll'), disabled: open.length < 2 },
    ],
    onClick: ({ key, domEvent }) => {
      domEvent.stopPropagation();
      if (key === 'cache') clearCache();
      if (key === 'others') closeOthers(path);
      if (key === 'all') leave(site.home, (now) => onlyThis(now, site.home));
    },
  });

  return (
    <nav className="x-tabs" aria-label={t('app.tabs.label')}>
      <ul>
        {open.map((tab, index) => {
          const current = tab.path === pathname;
          return (
            <Dropdown key={tab.path} menu={menuOf(tab.path)} trigger={['contextMenu']}>
              <li className={current ? 'x-tab x-tab-front' : 'x-tab'} ref={current ? front : undefined}>
                <Link to={tab.address} aria-current={current ? 'page' : undefined} title={name(tab)}>
                  {name(tab)}
                </Link>
                {index > 0 && (
                  <button
                    type="button"
                    aria-label={t('app.tabs.close', { name: name(tab) })}
                    onClick={() => close(tab.path)}
                  >
                    <CloseOutlined />
                  </button>
                )}
              </li>
            </Dropdown>
          );
        })}
      </ul>
      <Dropdown menu={menuOf(pathname)} trigger={['click']} placement="bottomRight">
        <Button type="text" size="small" icon={<DownOutlined />} aria-label={t('app.tabs.more')} />
      </Dropdown>
    </nav>
  );
}
