/** Home and the parts of the menu that the company has made: choosing one shows that part in the side menu. */
import { useQuery } from '@tanstack/react-query';
import { Dropdown } from 'antd';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { menuIcon } from '@/kit/icons';
import { useStored } from '@/kit/useStored';
import { useWide } from '@/kit/width';
import { topMenu } from '@/session/rights';
import { useSession } from '@/session/session';
import { site } from '@/site';
import { isPath } from './frames';

export function TopMenu() {
  const { t } = useTranslation();
  const wide = useWide();
  const navigate = useNavigate();
  const session = useSession();
  const chosen = useStored(topMenu);
  const { data = [] } = useQuery({
    queryKey: ['menu', 'top', session?.userId],
    queryFn: ({ signal }) => api.get('/blade-system/menu/top-menu', undefined, signal),
    staleTime: 5 * 60_000,
  });
  if (data.length === 0) return null;
  const go = (id: string, path: string) => {
    topMenu.set(id);
    if (isPath(path)) navigate(path);
  };
  const items = [
    { id: '', name: t('app.pages.home'), path: site.home, source: 'home' },
    ...data.map(({ id, name, path, source }) => ({ id, name, path, source })),
  ];
  const current = items.find((item) => item.id === chosen) ?? items[0];
  if (!wide) {
    return (
      <Dropdown
        trigger={['click']}
        menu={{
          selectedKeys: [chosen],
          items: items.map(({ id, name, path, source }) => ({
            key: id || 'home',
            label: name,
            icon: menuIcon(source),
            onClick: () => go(id, path),
          })),
        }}
      >
        <button type="button" className="x-topmenu-one">
          {current?.name}
        </button>
      </Dropdown>
    );
  }
  return (
    <nav className="x-topmenu" aria-label={t('app.topMenu')}>
      {items.map(({ id, name, path, source }) => (
        <button
          type="button"
          key={id}
          aria-current={id === chosen ? 'true' : undefined}
          onClick={() => go(id, path)}
        >
          {menuIcon(source)} {name}
        </button>
      ))}
    </nav>
  );
}
