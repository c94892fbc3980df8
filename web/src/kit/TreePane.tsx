/** A tree at the left of what it filters: searchable, as wide as one likes; below 1200 a button that opens it in a drawer. */
import { ApartmentOutlined, DownOutlined, SearchOutlined } from '@ant-design/icons';
import { Button, Input, Skeleton, Tree } from 'antd';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from '@/i18n';
import { Edge } from './Edge';
import { Drawer } from './overlays';
import { keysOf, matching, pathTo, type TreeNode } from './tree';
import { useBroad } from './width';

const [NARROWEST, WIDEST] = [200, 520];

interface TreePaneProps {
  /** Names the pane in storage, for its width. */
  name: string;
  title: string;
  nodes: readonly TreeNode[] | undefined;
  selected?: string;
  /** `undefined` is the whole tree. */
  onSelect: (key: string | undefined) => void;
  /** Levels open at first. */
  open?: number;
  /** Fetches the level below a node, where the tree comes level by level. */
  load?: (key: string) => Promise<unknown>;
  /** The list that follows the node. */
  children: ReactNode;
}

export function TreePane(props: TreePaneProps) {
  const { t } = useTranslation();
  const broad = useBroad();
  const [opened, setOpened] = useState(false);
  const stored = `xunwei.tree.${props.name}`;
  const [width, setWidth] = useState(() => Number(localStorage.getItem(stored)) || 280);
  const resize = (to: number) => {
    setWidth(to);
    localStorage.setItem(stored, String(to));
  };

  if (!broad) {
    const chosen = pathTo(props.nodes ?? [], props.selected).at(-1);
    return (
      <div>
        <Button
          className="x-tree-chosen"
          size="large"
          icon={<ApartmentOutlined />}
          onClick={() => setOpened(true)}
        >
          <span className="x-node-label">{chosen?.label ?? `${props.title} · ${t('kit.tree.all')}`}</span>
          <DownOutlined />
        </Button>
        <Drawer
          open={opened}
          title={props.title}
          placement="left"
          size="min(88vw, 400px)"
          onClose={() => setOpened(false)}
        >
          <Content
            {...props}
            onSelect={(key) => {
              setOpened(false);
              props.onSelect(key);
            }}
          />
        </Drawer>
        {props.children}
      </div>
    );
  }

  return (
    <div className="x-tree-page">
      <nav className="x-panel x-tree-pane" style={{ width }} aria-label={props.title}>
        <Content {...props} />
        <Edge
          side="right"
          className="x-tree-handle"
          label={t('kit.tree.resize')}
          width={width}
          narrowest={NARROWEST}
          widest={WIDEST}
          onResize={resize}
        />
      </nav>
      <div className="x-tree-list">{props.children}</div>
    </div>
  );
}

const ALL = '';

function Content({ nodes, selected, onSelect, title, load, open = load ? 0 : 2 }: TreePaneProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [unfolded, setUnfolded] = useState<string[]>();
  const found = useMemo(() => matching(nodes ?? [], text), [nodes, text]);
  if (!nodes) return <Skeleton active title={false} paragraph={{ rows: 8 }} />;

  const searching = text.trim() !== '';
  const shown = searching
    ? keysOf(found)
    : (unfolded ?? [...keysOf(nodes, open), ...pathTo(nodes, selected).map((node) => node.key)]);
  const tree: TreeNode[] = searching
    ? found
    : [{ key: ALL, label: t('kit.tree.all'), isLeaf: true }, ...nodes];
  return (
    <>
      <div className="x-tree-search">
        <Input
          prefix={<SearchOutlined />}
          placeholder={t('kit.tree.search')}
          aria-label={`${t('kit.tree.search')} ${title}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
          allowClear
        />
      </div>
      <div className="x-tree-scroll">
        {found.length === 0 && searching && <p className="x-quiet">{t('kit.tree.none')}</p>}
        <Tree<TreeNode>
          blockNode
          treeData={tree}
          fieldNames={{ title: 'label' }}
          loadData={load && ((node) => load(node.key).then(() => undefined))}
          titleRender={(node) => (
            <span className="x-node" title={[node.label, node.hint].filter(Boolean).join(' · ')}>
              <span className="x-node-label">{node.label}</span>
              {node.extra}
            </span>
          )}
          expandedKeys={shown}
          onExpand={(keys) => !searching && setUnfolded(keys.map(String))}
          selectedKeys={[selected ?? ALL]}
          onSelect={(_, { node }) => onSelect(node.key === ALL ? undefined : node.key)}
        />
      </div>
    </>
  );
}
