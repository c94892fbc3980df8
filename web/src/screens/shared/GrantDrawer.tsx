/** Ticks in trees: what a role holds, or what a top menu shows. */
import { SearchOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Empty, Input, Switch, Tabs, Tree } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { ErrorLine, ErrorState, PageSkeleton } from '@/kit/states';
import { keysOf, matching, type TreeNode } from '@/kit/tree';
import { useAction } from '@/kit/useAction';
import { usePhone } from '@/kit/width';

interface Node {
  id: string;
  title: string;
  /** In sight as the way to others; not the caller's to give. */
  disabled?: boolean;
  children?: Node[];
}

const KINDS = ['menu', 'dataScope', 'apiScope'] as const;
type Kind = (typeof KINDS)[number];
export type Keys = Record<Kind, string[]>;

function nodesOf(nodes: readonly Node[]): TreeNode[] {
  return nodes.map(({ id, title, disabled, children }) => ({
    key: id,
    label: title,
    disabled,
    children: children?.length ? nodesOf(children) : undefined,
  }));
}

function leavesOf(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap((node) => (node.children ? leavesOf(node.children) : [node.key]));
}

function givenBy(nodes: readonly TreeNode[]): string[] {
  return nodes.flatMap(({ key, disabled, children }) => [
    ...(disabled ? [] : [key]),
    ...givenBy(children ?? []),
  ]);
}

interface TicksProps {
  nodes: TreeNode[];
  value: string[];
  onChange: (keys: string[]) => void;
  /** Only leaves are granted; what is above them is there to find them. */
  leavesOnly: boolean;
}

function Ticks({ nodes, value, onChange, leavesOnly }: TicksProps) {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const [linked, setLinked] = useState(false);
  const [open, setOpen] = useState<string[]>();
  const shown = matching(nodes, text);
  const ticked = new Set(value);
  const mine = leavesOnly ? leavesOf(nodes) : givenBy(nodes);
  const own = new Set(mine);
  // What the caller does not hold stays as it is: it is neither given nor taken here.
  const others = value.filter((key) => !own.has(key));
  const inSight = new Set(keysOf(shown));
  // What the search hides keeps its ticks.
  const hidden = value.filter((key) => !inSight.has(key));
  if (nodes.length === 0) {
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('access.nothing')} />;
  }
  return (
    <div className="x-grant">
      <div className="x-grant-head">
        <Input
          allowClear
          prefix={<SearchOutlined />}
          placeholder={t('kit.tree.search')}
          aria-label={t('kit.tree.search')}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {!leavesOnly && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the switch is the control
          <label className="x-grant-linked">
            <Switch size="small" checked={linked} onChange={setLinked} />
            {t('access.linked')}
          </label>
        )}
        <Button size="small" onClick={() => onChange([...others, ...mine])}>
          {t('access.all')}
        </Button>
        <Button size="small" onClick={() => onChange(others)}>
          {t('access.none')}
        </Button>
      </div>
      <Tree<TreeNode>
        checkable
        selectable={false}
        checkStrictly={!linked && !leavesOnly}
        treeData={shown}
        fieldNames={{ title: 'label' }}
        checkedKeys={value.filter((key) => inSight.has(key))}
        expandedKeys={text ? keysOf(shown) : (open ?? keysOf(nodes, leavesOnly ? 3 : 1))}
        onExpand={(keys) => setOpen(keys.map(String))}
        onCheck={(checked) => {
          const keys = (Array.isArray(checked) ? checked : checked.checked).map(String);
          onChange([...new Set([...others, ...hidden, ...keys.filter((key) => own.has(key))])]);
        }}
      />
      <span className="x-hint">
        {t('access.ticked', { n: ticked.size })}
        {others.length > 0 && t('access.others', { n: others.length })}
      </span>
    </div>
  );
}

interface GrantDrawerProps {
  title: string;
  /** Calls that answer the trees and what is ticked in them. */
  trees: 'grant-tree' | 'grant-top-tree';
  keys: 'role-tree-keys' | 'top-tree-keys';
  params: { roleIds?: string; topMenuIds?: string };
  fixed: { tenantId?: string };
  save: (keys: Keys) => Promise<unknown>;
  invalidates: readonly (readonly unknown[])[];
  onClose: () => void;
}

export function GrantDrawer(props: GrantDrawerProps) {
  const { title, params, fixed, onClose } = props;
  const { t } = useTranslation();
  const phone = usePhone();
  const trees = useQuery({
    queryKey: ['grant', props.trees, fixed],
    queryFn: ({ signal }) => api.get(`/blade-system/menu/${props.trees}`, fixed, signal),
  });
  const held = useQuery({
    queryKey: ['grant', props.keys, params, fixed],
    queryFn: ({ signal }) => api.get(`/blade-system/menu/${props.keys}`, { ...params, ...fixed }, signal),
    staleTime: 0,
    gcTime: 0,
  });
  const [keys, setKeys] = useState<Keys>();
  useEffect(() => setKeys(held.data), [held.data]);
  const nodes = useMemo(
    () =>
      Object.fromEntries(KINDS.map((kind) => [kind, nodesOf(trees.data?.[kind] ?? [])])) as Record<
        Kind,
        TreeNode[]
      >,
    [trees.data],
  );
  const action = useAction({
    run: async () => keys && props.save(keys),
    invalidates: [['grant'], ...props.invalidates],
    success: t('kit.done'),
    onDone: onClose,
  });
  const error = trees.error ?? held.error;
  const kinds = KINDS.filter((kind) => kind === 'menu' || props.keys === 'role-tree-keys');
  return (
    <Drawer
      open
      title={title}
      size={phone ? '100%' : 560}
      onClose={onClose}
      footer={
        <div className="x-bar">
          {action.error ? (
            <div className="x-bar-error">
              <ErrorLine error={action.error} />
            </div>
          ) : null}
          <Button onClick={onClose}>{t('kit.cancel')}</Button>
          <Button type="primary" loading={action.busy} disabled={!keys} onClick={() => action.run()}>
            {t('kit.save')}
          </Button>
        </div>
      }
    >
      {error && (!trees.data || !keys) ? (
        <ErrorState error={error} retry={() => void [trees.refetch(), held.refetch()]} />
      ) : !trees.data || !keys ? (
        <PageSkeleton rows={8} />
      ) : (
        <Tabs
          items={kinds.map((kind) => ({
            key: kind,
            label: t(`access.${kind}`),
            children: (
              <Ticks
                nodes={nodes[kind]}
                value={keys[kind]}
                onChange={(next) => setKeys({ ...keys, [kind]: next })}
                leavesOnly={kind !== 'menu'}
              />
            ),
          }))}
        />
      )}
    </Drawer>
  );
}
