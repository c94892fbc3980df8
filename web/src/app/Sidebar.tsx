/** The side menu: the server's tree, as far as this console has pages for it. */
import { Menu, type MenuProps, Skeleton } from 'antd';
import { useMemo } from 'react';
import { Link, useLocation } from 'react-router';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useMenu } from '@/session/rights';
import { menuIcon } from './icons';
import { routes } from './routes';

type MenuNode = Wire<'MenuNode'>;
type Item = NonNullable<MenuProps['items']>[number];

const paths = new Set(routes.map((route) => route.path));

function itemsOf(nodes: readonly MenuNode[], onChoose?: () => void): Item[] {
  return nodes.flatMap((node): Item[] => {
    if (node.children?.length) {
      const children = itemsOf(node.children, onChoose);
      return children.length > 0
        ? [{ key: node.id, icon: menuIcon(node.source), label: node.name, children }]
        : [];
    }
    if (!paths.has(node.path)) return [];
    return [
      { key: node.path, icon: menuIcon(node.source), label: <Entry node={node} onChoose={onChoose} /> },
    ];
  });
}

function Entry({ node, onChoose }: { node: MenuNode; onChoose?: () => void }) {
  return (
    <Link to={node.path} onClick={onChoose}>
      {node.name}
    </Link>
  );
}

/** The ids of the groups, and the entry whose path is the page's or the nearest above it. */
function placeOf(nodes: readonly MenuNode[], pathname: string): { groups: string[]; entry?: string } {
  const groups: string[] = [];
  let entry: string | undefined;
  for (const node of nodes) {
    if (node.children?.length) {
      const below = placeOf(node.children, pathname);
      groups.push(node.id, ...below.groups);
      entry ??= below.entry;
    } else if (pathname === node.path || pathname.startsWith(`${node.path}/`)) {
      entry = node.path;
    }
  }
  return { groups, entry };
}

interface SidebarProps {
  folded?: boolean;
  onChoose?: () => void;
}

export function Sidebar({ folded, onChoose }: SidebarProps) {
  const { t } = useTranslation();
  const { data } = useMenu();
  const { pathname } = useLocation();
  const items = useMemo(() => itemsOf(data ?? [], onChoose), [data, onChoose]);
  if (!data) return <Skeleton className="x-side-wait" active title={false} paragraph={{ rows: 5 }} />;
  const { groups, entry } = placeOf(data, pathname);
  return (
    <nav aria-label={t('app.menu')}>
      <Menu
        theme="dark"
        mode="inline"
        inlineIndent={16}
        inlineCollapsed={folded}
        items={items}
        defaultOpenKeys={folded ? [] : groups}
        selectedKeys={entry ? [entry] : []}
      />
    </nav>
  );
}
