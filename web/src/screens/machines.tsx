/** The machine register: the tree at the left, the machines of the chosen node at the right. */
import { ExclamationCircleOutlined, PlusOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api } from '@/api/client';
import type { Page, Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { DetailDrawer } from '@/kit/DetailDrawer';
import { useDictionary } from '@/kit/dictionary';
import { Facts } from '@/kit/Facts';
import { FormDrawer } from '@/kit/FormDrawer';
import {
  DictField,
  RemoteSelectField,
  SelectField,
  TextAreaField,
  TextField,
  TreeSelectField,
} from '@/kit/fields';
import type { Filter } from '@/kit/filters';
import { FieldGroup } from '@/kit/form';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { StateTag } from '@/kit/StateTag';
import { TreePane } from '@/kit/TreePane';
import { pathTo, type TreeNode } from '@/kit/tree';
import { useCanOpen, useRights } from '@/session/rights';

const CALL = '/yuzhu-equip/inspectmachine';
const REPAIRS = '/repair/order';
const TOUCHED = [['machines']];

const MACHINE = 4;

/** Sites, workshops and lines do not run by themselves. */
const runState = (row: Machine) =>
  (row.nodeType ?? MACHINE) < MACHINE ? (
    '-'
  ) : (
    <StateTag dict="machine_run_state" value={row.runState} text={row.runStateName} />
  );
/** Run states that may be set by hand; the others belong to the flow. */
const BY_HAND = [1, 2];

type Machine = Wire<'Machine'>;
type MachineNode = Wire<'MachineNode'>;
type Input = Wire<'MachineRequest'>;

function StopMark({ node }: { node: MachineNode }) {
  const { t } = useTranslation();
  const dictionary = useDictionary('machine_run_state');
  if (node.nodeType < MACHINE) {
    return (
      <>
        {Boolean(node.stopCount) && (
          <span className="x-node-bad" title={t('machines.stopped', { n: node.stopCount })}>
            <ExclamationCircleOutlined /> {node.stopCount}
          </span>
        )}
        <span className="x-node-count">{node.machineCount}</span>
      </>
    );
  }
  if (node.runState !== 3) return null;
  return (
    <span className="x-node-bad" title={dictionary.label(node.runState)}>
      <ExclamationCircleOutlined />
    </span>
  );
}

function treeOf(nodes: readonly MachineNode[]): TreeNode[] {
  return nodes.map((node) => ({
    key: node.id,
    label: node.label,
    extra: <StopMark node={node} />,
    children: node.children?.length ? treeOf(node.children) : undefined,
  }));
}

function useMachineTree(): TreeNode[] | undefined {
  const { data } = useQuery({
    queryKey: ['machines', 'tree'],
    queryFn: ({ signal }) =>
      api.get<MachineNode[]>(`${CALL}/getTreeList`, { nodeTypes: '1,2,3,4', withState: 1 }, signal),
  });
  return useMemo(() => data && treeOf(data), [data]);
}

type Open = { kind: 'form'; id?: string } | { kind: 'detail'; id: string };

export default function Machines() {
  const { t } = useTranslation();
  const can = useRights();
  const tree = useMachineTree();
  const [params, setParams] = useSearchParams();
  const node = params.get('node') ?? undefined;
  const [open, setOpen] = useState<Open>();
  const [doomed, setDoomed] = useState<Machine>();

  const choose = (key: string | undefined) =>
    setParams((previous) => {
      const next = new URLSearchParams(previous);
      next.delete('current');
      if (key) next.set('node', key);
      else next.delete('node');
      return next;
    });

  const columns: Column<Machine>[] = [
    { key: 'machineCode', title: t('machines.machineCode'), width: 140, sortable: true, nowrap: true },
    { key: 'machineName', title: t('machines.machineName'), width: 200, sortable: true },
    {
      key: 'runState',
      title: t('machines.runState'),
      width: 130,
      sortable: true,
      nowrap: true,
      render: (row) => runState(row),
    },
    { key: 'nodeTypeName', title: t('machines.nodeType'), width: 110 },
    { key: 'location', title: t('machines.location'), width: 160 },
    { key: 'deptName', title: t('machines.deptId'), width: 140 },
    { key: 'model', title: t('machines.model'), width: 130 },
    { key: 'teamName', title: t('machines.teamId'), width: 120 },
  ];
  const filters: Filter[] = [
    { kind: 'text', name: 'machineName', label: t('machines.machineName') },
    { kind: 'text', name: 'machineCode', label: t('machines.machineCode') },
    { kind: 'dict', name: 'runState', label: t('machines.runState'), dict: 'machine_run_state' },
    { kind: 'dict', name: 'nodeType', label: t('machines.nodeType'), dict: 'machine_node_type' },
  ];
  const add = can('inspectmachine_add') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ kind: 'form' })}>
      {t('machines.add')}
    </Button>
  );

  return (
    <TreePane name="machines" title={t('machines.tree')} nodes={tree} selected={node} onSelect={choose}>
      <ResourceList<Machine>
        name="machines"
        title={pathTo(tree ?? [], node).at(-1)?.label ?? t('machines.title')}
        load={(query, signal) => api.get<Page<Machine>>(`${CALL}/list`, query, signal)}
        fixed={{ parentId: node }}
        columns={columns}
        filters={filters}
        inline={3}
        action={add}
        card={(row) => ({
          title: row.machineName,
          state: runState(row),
          meta: [row.machineCode, [row.location, row.deptName].filter(Boolean).join(' · ')],
        })}
        onOpen={can('inspectmachine_view') ? (row) => setOpen({ kind: 'detail', id: row.id }) : undefined}
        rowActions={(row) => [
          ...(can('inspectmachine_edit')
            ? [{ key: 'edit', label: t('kit.edit'), onClick: () => setOpen({ kind: 'form', id: row.id }) }]
            : []),
          ...(can('inspectmachine_delete')
            ? [{ key: 'delete', label: t('kit.delete'), danger: true, onClick: () => setDoomed(row) }]
            : []),
        ]}
        empty={{
          title: t('machines.empty'),
          hint: add ? t('machines.emptyHint') : t('machines.emptyNoRight'),
          action: add,
        }}
      />
      {open?.kind === 'form' && (
        <MachineForm id={open.id} parentId={node} tree={tree ?? []} onClose={() => setOpen(undefined)} />
      )}
      {open?.kind === 'detail' && (
        <MachineDetail
          id={open.id}
          onEdit={() => setOpen({ kind: 'form', id: open.id })}
          onDelete={setDoomed}
          onClose={() => setOpen(undefined)}
        />
      )}
      {doomed && (
        <ConfirmDialog
          title={t('kit.deleteConfirm')}
          okText={t('kit.delete')}
          danger
          run={() => api.post(`${CALL}/remove`, undefined, { ids: doomed.id })}
          invalidates={TOUCHED}
          success={t('kit.deleted')}
          onDone={() => setOpen(undefined)}
          onClose={() => setDoomed(undefined)}
        >
          {t('machines.deleteWhat', { code: doomed.machineCode, name: doomed.machineName })}
        </ConfirmDialog>
      )}
    </TreePane>
  );
}

function useMachine(id: string | undefined) {
  return useQuery({
    queryKey: ['machines', 'detail', id],
    queryFn: ({ signal }) => api.get<Machine>(`${CALL}/detail`, { id }, signal),
    enabled: id !== undefined,
  });
}

interface MachineDetailProps {
  id: string;
  onEdit: () => void;
  onDelete: (machine: Machine) => void;
  onClose: () => void;
}

function MachineDetail({ id, onEdit, onDelete, onClose }: MachineDetailProps) {
  const { t } = useTranslation();
  const can = useRights();
  const seesRepairs = useCanOpen(REPAIRS);
  const { data, error, refetch } = useMachine(id);
  const actions = data && (
    <>
      {can('inspectmachine_delete') && (
        <Button danger className="x-bar-apart" onClick={() => onDelete(data)}>
          {t('kit.delete')}
        </Button>
      )}
      {seesRepairs && (
        <Link to={`${REPAIRS}?machineId=${id}`}>
          <Button>{t('machines.lastRepairs')}</Button>
        </Link>
      )}
      {can('inspectmachine_edit') && (
        <Button type="primary" onClick={onEdit}>
          {t('kit.edit')}
        </Button>
      )}
    </>
  );
  return (
    <DetailDrawer
      title={data?.machineName ?? ''}
      state={data && <StateTag dict="machine_run_state" value={data.runState} text={data.runStateName} />}
      loading={!data}
      error={data ? undefined : error}
      retry={refetch}
      actions={actions}
      onClose={onClose}
    >
      {data && (
        <Facts
          items={[
            { label: t('machines.machineCode'), value: <span className="x-nowrap">{data.machineCode}</span> },
            { label: t('machines.nodeType'), value: data.nodeTypeName },
            { label: t('machines.parentId'), value: data.parentName },
            { label: t('machines.importance'), value: data.importanceName },
            { label: t('machines.location'), value: data.location },
            { label: t('machines.deptId'), value: data.deptName },
            { label: t('machines.brand'), value: data.brand },
            { label: t('machines.model'), value: data.model },
            { label: t('machines.teamId'), value: data.teamName },
            { label: t('machines.dutyUserId'), value: data.dutyUserName },
            { label: t('machines.maintainUserId'), value: data.maintainUserName },
            { label: t('machines.remark'), value: data.remark, full: true },
          ]}
        />
      )}
    </DetailDrawer>
  );
}

function departments(nodes: readonly Wire<'DepartmentNode'>[]): TreeNode[] {
  return nodes.map(({ id, title, children }) => ({
    key: id,
    label: title,
    children: children?.length ? departments(children) : undefined,
  }));
}

interface MachineFormProps {
  /** None: a new machine, under `parentId`. */
  id?: string;
  parentId?: string;
  tree: readonly TreeNode[];
  onClose: () => void;
}

function MachineForm({ id, parentId, tree, onClose }: MachineFormProps) {
  const { t } = useTranslation();
  const { data: machine, error, refetch } = useMachine(id);
  const depts = useQuery({
    queryKey: ['departments'],
    queryFn: ({ signal }) => api.get<Wire<'DepartmentNode'>[]>('/blade-system/dept/tree', undefined, signal),
  });
  const teams = useQuery({
    queryKey: ['teams'],
    queryFn: ({ signal }) => api.get<Wire<'Team'>[]>('/yuzhu-equip/repairteam/getList', undefined, signal),
  });
  const people = {
    source: ['people', id ?? parentId],
    load: async (_: string, signal: AbortSignal) => {
      const found = await api.get<Wire<'MachineUser'>[]>(
        '/yuzhu-equip/user/machineUsers',
        { machineId: id ?? parentId },
        signal,
      );
      return found.map(({ userId, userName, deptName }) => ({
        value: userId,
        label: userName,
        hint: deptName,
      }));
    },
  };
  const current = (value: string | null | undefined, label = '') => (value ? { value, label } : undefined);
  const initial: Partial<Input> = machine ?? { parentId, nodeType: MACHINE, importance: 2, runState: 1 };

  return (
    <FormDrawer<Input>
      title={id ? t('machines.editTitle', { name: machine?.machineName ?? '' }) : t('machines.add')}
      loading={id !== undefined && !machine}
      loadError={machine ? undefined : error}
      retry={refetch}
      initial={initial}
      submit={(values) => api.post(`${CALL}/submit`, { ...values, id })}
      invalidates={TOUCHED}
      onClose={onClose}
    >
      <FieldGroup title={t('machines.groups.identity')} />
      <TextField name="machineCode" label={t('machines.machineCode')} required max={40} />
      <TextField name="machineName" label={t('machines.machineName')} required max={80} />
      <DictField name="nodeType" label={t('machines.nodeType')} dict="machine_node_type" required />
      <DictField name="importance" label={t('machines.importance')} dict="machine_importance" required />
      <TextField name="brand" label={t('machines.brand')} max={60} />
      <TextField name="model" label={t('machines.model')} max={60} />
      <DictField
        name="runState"
        label={t('machines.runState')}
        dict="machine_run_state"
        only={BY_HAND}
        disabled={machine && !BY_HAND.includes(machine.runState)}
        hint={t('machines.runStateHint')}
        required
      />
      <FieldGroup title={t('machines.groups.place')} />
      <TreeSelectField name="parentId" label={t('machines.parentId')} nodes={tree} />
      <TextField name="location" label={t('machines.location')} max={120} />
      <TreeSelectField
        name="deptId"
        label={t('machines.deptId')}
        nodes={departments(depts.data ?? [])}
        loading={depts.isPending}
        required
      />
      <SelectField
        name="teamId"
        label={t('machines.teamId')}
        options={(teams.data ?? []).map((team) => ({ value: team.id, label: team.teamName }))}
        loading={teams.isPending}
      />
      <FieldGroup title={t('machines.groups.people')} />
      <RemoteSelectField
        {...people}
        name="dutyUserId"
        label={t('machines.dutyUserId')}
        current={current(machine?.dutyUserId, machine?.dutyUserName)}
      />
      <RemoteSelectField
        {...people}
        name="maintainUserId"
        label={t('machines.maintainUserId')}
        current={current(machine?.maintainUserId, machine?.maintainUserName)}
      />
      <TextAreaField name="remark" label={t('machines.remark')} max={500} />
    </FormDrawer>
  );
}
