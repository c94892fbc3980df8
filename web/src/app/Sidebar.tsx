/** The side menu: the server's tree, as far as this console has pages for it. */
import { Badge, Menu, type MenuProps, Skeleton } from 'antd';
import { useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { useTranslation } from '@/i18n';
import { menuIcon } from '@/kit/icons';
import { useShownMenu } from '@/session/rights';
import { useCounts } from './counts';
import { frameCode } from './frames';
import { isOpenable } from './leaves';
import { isShown, type MenuNode, targetOf } from './menu';

type Item = NonNullable<MenuProps['items']>[number];

function itemsOf(nodes: readonly MenuNode[], onChoose?: () => void): Item[] {
  return nodes.filter(isShown).flatMap((node): Item[] => {
    if (node.children?.length) {
      const children = itemsOf(node.children, onChoose);
      return children.length > 0
        ? [{ key: node.id, icon: menuIcon(node.source), label: node.name, children }]
        : [];
    }
    if (!isOpenable(node)) return [];
    return [{ key: node.id, icon: menuIcon(node.source), label: <Entry node={node} onChoose={onChoose} /> }];
  });
}

type Counted = 'todo' | 'claim' | 'copies';

/** Entries that say how much waits behind them. */
const COUNTED: Readonly<Record<string, Counted>> = {
  '/work/todo': 'todo',
  '/work/claim': 'claim',
  '/work/copy': 'copies',
};

function Waiting({ queue }: { queue: Counted }) {
  const { data } = useCounts();
  // The to-do list holds what may be claimed too.
  const count = queue === 'todo' ? (data?.todo ?? 0) + (data?.claim ?? 0) : data?.[queue];
  return <Badge className="x-side-count" count={count ?? 0} size="small" />;
}

function Entry({ node, onChoose }: { node: MenuNode; onChoose?: () => void }) {
  const target = targetOf(node);
  const counted = COUNTED[node.path];
  if (target.kind === 'window') {
    return (
      <a href={target.href} target="_blank" rel="noopener noreferrer" onClick={onChoose}>
        {node.name}
      </a>
    );
  }
  return (
    <Link to={target.kind === 'page' ? target.to : '/'} onClick={onChoose}>
      {node.name}
      {counted && <Waiting queue={counted} />}
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
    } else if (
      pathname === node.path ||
      pathname.startsWith(`${node.path}/`) ||
      frameCode(pathname) === node.code
    ) {
      entry = node.id;
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
  const { data } = useShownMenu();
  const { pathname } = useLocation();
  const items = useMemo(() => itemsOf(data ?? [], onChoose), [data, onChoose]);
  const nav = useRef<HTMLElement>(null);
  const { groups, entry } = placeOf(data ?? [], pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is marked
  useEffect(() => {
    nav.current?.querySelector('.ant-menu-item-selected')?.scrollIntoView({ block: 'nearest' });
  }, [entry]);
  if (!data) return <Skeleton className="x-side-wait" active title={false} paragraph={{ rows: 5 }} />;
  return (
    <nav ref={nav} aria-label={t('app.menu')}>
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
