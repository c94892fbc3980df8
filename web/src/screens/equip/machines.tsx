/** The machine register: the tree at the left, the machines of the chosen node at the right. */
import { ExclamationCircleOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Form, type FormInstance } from 'antd';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { inspectmachine } from '@/api/nouns/inspectmachine';
import { inspecttype } from '@/api/nouns/inspecttype';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useDictionary } from '@/kit/dictionary';
import { ExtraControls } from '@/kit/ExtraControls';
import { useExtras } from '@/kit/extras';
import {
  DateField,
  DictField,
  type FieldProps,
  RemoteSelectField,
  TextField,
  TreeSelectField,
} from '@/kit/fields';
import { FieldGroup } from '@/kit/form';
import { type FormEntry, NounPage, type Values } from '@/kit/NounPage';
import { NounFieldControl } from '@/kit/nounFields';
import { useLabels } from '@/kit/nounText';
import type { PlainKey } from '@/kit/references';
import { changeBy, NEW_MACHINE, type RequiredItem, useRequired } from '@/kit/required';
import { StateTag, ToneTag } from '@/kit/StateTag';
import type { TreeNode } from '@/kit/tree';
import { exact } from '@/lib/money';
import { importanceOf, useClasses, useClassNodes } from '@/screens/shared/classes';
import { underDept } from '@/screens/shared/orders';
import { useCanOpen, useRights } from '@/session/rights';
import { BY_HAND, ChangeState, MACHINE, SCRAPPED, useMayChangeState } from './ChangeState';
import { WarrantyTag } from './MachineProfile';

type Machine = RowOf<typeof inspectmachine>;
type MachineNode = Wire<'MachineNode'>;

const MACHINES = '/equip/machine';
const REPAIRS = '/repair/order';
const NEW: Values = { nodeType: MACHINE, importance: 2, runState: 1 };

/** Sites, workshops and lines do not run by themselves. */
const runState = (row: Machine) =>
  (row.nodeType ?? MACHINE) < MACHINE ? undefined : (
    <StateTag dict="machine_run_state" value={row.runState} text={row.runStateName} />
  );

/** What its counter counts, with the unit; areas have none. */
const counted = (value: number | null | undefined, row: Machine) =>
  (row.nodeType ?? MACHINE) < MACHINE || typeof value !== 'number'
    ? '-'
    : `${exact(value, 1)} ${row.meterUnitName}`;

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
    hint: node.typeName,
    extra: <StopMark node={node} />,
    children: node.children?.length ? treeOf(node.children) : undefined,
  }));
}

function useMachineTree(): TreeNode[] | undefined {
  const { data } = useQuery({
    queryKey: [inspectmachine.name, 'tree'],
    queryFn: ({ signal }) =>
      api.get(`${inspectmachine.path}/getTreeList`, { nodeTypes: '1,2,3,4', withState: 1 }, signal),
  });
  return useMemo(() => data && treeOf(data), [data]);
}

interface PersonProps extends FieldProps {
  /** The machine, or the area that a new one will stand in: its people come first. */
  near: string | undefined;
  /** Who it is so far. */
  id: string | null | undefined;
  person: string | undefined;
}

function PersonField({ near, id, person = '', ...props }: PersonProps) {
  const load = async (_: string, signal: AbortSignal) => {
    const people = await api.get('/yuzhu-equip/user/machineUsers', { machineId: near }, signal);
    return people.map(({ userId, userName, deptName }) => ({
      value: userId,
      label: userName,
      hint: deptName,
    }));
  };
  return (
    <RemoteSelectField
      {...props}
      source={['people', 'of machine', near]}
      load={load}
      current={id ? { value: id, label: person } : undefined}
    />
  );
}

/** What kind of machine it is; areas are of none. A new machine is as important as its class until somebody says otherwise. */
function ClassField({ isNew, ...props }: FieldProps & { isNew: boolean }) {
  const form = Form.useFormInstance<Values>();
  const classes = useClasses();
  const nodes = useClassNodes(true);
  const chosen = Form.useWatch<string | undefined>('typeId', form);
  const isArea = (Form.useWatch<number>('nodeType', form) ?? MACHINE) < MACHINE;
  useEffect(() => {
    const importance = importanceOf(classes ?? [], chosen);
    if (isNew && importance !== undefined && !form.isFieldTouched('importance'))
      form.setFieldValue('importance', importance);
  }, [classes, chosen, isNew, form]);
  if (isArea) return null;
  return <TreeSelectField {...props} required nodes={nodes ?? []} loading={!nodes} />;
}

/** What machines and components have, and areas do not. */
function OfMachines({ children }: { children: ReactNode }) {
  const level = Form.useWatch<number | undefined>('nodeType', Form.useFormInstance<Values>());
  return (level ?? MACHINE) >= MACHINE ? children : null;
}

/** What is asked of special equipment, and of no other. */
function WhenSpecial({ children }: { children: ReactNode }) {
  return Form.useWatch<number | undefined>('specialEquip', Form.useFormInstance<Values>()) === 1
    ? children
    : null;
}

/** What is asked of a machine that is scrapped, and of no other. */
function WhenScrapped({ children }: { children: ReactNode }) {
  const state = Form.useWatch<number | undefined>('runState', Form.useFormInstance<Values>());
  return state === SCRAPPED ? children : null;
}

/** What the company asks for of a new machine, and what it leaves out there; a machine that exists shows all. */
function byRules(
  entries: readonly FormEntry<typeof inspectmachine>[],
  ruleOf: (field: string) => RequiredItem | undefined,
): FormEntry<typeof inspectmachine>[] {
  return entries.flatMap((entry): FormEntry<typeof inspectmachine>[] => {
    if (typeof entry === 'object' && 'group' in entry) return [entry];
    const field = typeof entry === 'string' ? { key: entry } : entry;
    const { hidden, required } = changeBy(ruleOf(field.key));
    if (!hidden && !required) return [entry];
    const edited = { ...field, on: 'edit' as const };
    return hidden ? [edited] : [{ ...field, required: true, on: 'add' as const }, edited];
  });
}

export default function Machines() {
  const { t } = useTranslation();
  const label = useLabels(inspectmachine);
  const holds = useRights();
  const seesRepairs = useCanOpen(REPAIRS);
  const tree = useMachineTree();
  const classes = useClassNodes(false);
  const word = (dict: string) => (props: FieldProps) => <DictField {...props} dict={dict} />;
  const mayChange = useMayChangeState();
  const extras = useExtras(inspectmachine);
  const ruleOf = useRequired(NEW_MACHINE);
  const [changed, setChanged] = useState<{ rows: readonly Machine[]; clear?: () => void }>();
  /** A field that areas do not have. */
  const ofMachines = (key: PlainKey<typeof inspectmachine>) => ({
    key,
    control: (props: FieldProps) => (
      <OfMachines>
        <NounFieldControl noun={inspectmachine} {...props} />
      </OfMachines>
    ),
  });
  const near = (form: FormInstance<Values>, row: Machine | undefined) =>
    row?.id ?? (form.getFieldValue('parentId') as string | undefined);

  return (
    <>
      <NounPage
        noun={inspectmachine}
        name="machineName"
        called={(row) => `${row.machineCode} ${row.machineName}`}
        columns={[
          { key: 'machineCode', width: 124, nowrap: true },
          { key: 'machineName', width: 150 },
          { key: 'runStateName', width: 112, nowrap: true },
          { key: 'typeName', width: 112 },
          { key: 'location', width: 112 },
          { key: 'deptName', width: 110 },
          { key: 'openRepairCount', width: 110, extra: true },
          { key: 'nodeTypeName', width: 92, extra: true },
          { key: 'model', width: 120, extra: true },
          { key: 'teamName', width: 110, extra: true },
          { key: 'importanceName', extra: true },
          { key: 'maintainUserName', extra: true },
          { key: 'lastInspectTime', width: 150, extra: true },
          { key: 'nextInspectTime', width: 150, extra: true },
          { key: 'lastMaintainTime', width: 150, extra: true },
          { key: 'nextMaintainDate', width: 120, extra: true },
        ]}
        show={{
          machineName: (row) => (
            <span className="x-marks">
              {row.machineName}
              {row.isSealed === 1 && <ToneTag tone="off">{t('machines.sealed')}</ToneTag>}
            </span>
          ),
          runStateName: (row) => runState(row) ?? '-',
          warrantyStateName: (row) => <WarrantyTag machine={row} />,
          runHours: (row) => counted(row.runHours, row),
          avgDailyHours: (row) => counted(row.avgDailyHours, row),
          openRepairCount: (row) => ((row.nodeType ?? MACHINE) < MACHINE ? '-' : row.openRepairCount),
        }}
        card={(row) => ({
          title: row.machineName,
          state: runState(row),
          meta: [row.machineCode, [row.location, row.deptName].filter(Boolean).join(' · ')],
        })}
        filters={[
          'machineName',
          'machineCode',
          { kind: 'tree', name: 'typeId', label: label('typeId'), nodes: classes ?? [] },
          { kind: 'dict', name: 'runState', label: label('runState'), dict: 'machine_run_state' },
          { kind: 'dict', name: 'nodeType', label: label('nodeType'), dict: 'machine_node_type' },
          { kind: 'dict', name: 'importance', label: label('importance'), dict: 'machine_importance' },
          'deptId',
          underDept(t('machines.underDept')),
          'teamId',
          'dutyUserId',
          'maintainUserId',
          'assetNo',
          'serialNo',
          'manufacturer',
          'supplier',
          'inServiceDate',
          { kind: 'dict', name: 'warrantyState', label: label('warrantyState'), dict: 'warranty_state' },
          'warrantyEnd',
          'specialEquip',
          'nextStatutoryDate',
          'lastInspectTime',
          'nextInspectTime',
          'lastMaintainTime',
          'nextMaintainDate',
          'isSealed',
        ]}
        form={byRules(
          [
            { group: t('machines.groups.identity') },
            'machineCode',
            'machineName',
            { key: 'nodeType', required: true, control: word('machine_node_type') },
            {
              key: 'typeId',
              control: (props, _, row) => <ClassField {...props} isNew={row === undefined} />,
            },
            { key: 'importance', required: true, control: word('machine_importance') },
            {
              key: 'runState',
              on: 'add',
              required: true,
              hint: t('machines.runStateHint'),
              control: (props) => (
                <OfMachines>
                  <DictField {...props} dict="machine_run_state" only={BY_HAND} />
                </OfMachines>
              ),
            },
            {
              key: 'scrapDate',
              on: 'add',
              control: (props) => (
                <WhenScrapped>
                  <DateField {...props} required />
                </WhenScrapped>
              ),
            },
            {
              key: 'scrapReason',
              on: 'add',
              control: (props) => (
                <WhenScrapped>
                  <TextField {...props} required />
                </WhenScrapped>
              ),
            },
            'tagIds',
            { key: 'isSealed', hint: t('machines.sealedHint') },
            { group: t('machines.groups.plate') },
            'brand',
            'model',
            ofMachines('spec'),
            ofMachines('serialNo'),
            ofMachines('powerKw'),
            ofMachines('meterUnit'),
            ofMachines('specialEquip'),
            {
              key: 'nextStatutoryDate',
              control: (props) => (
                <WhenSpecial>
                  <DateField {...props} />
                </WhenSpecial>
              ),
            },
            { group: t('machines.groups.place') },
            {
              key: 'parentId',
              control: (props) => <TreeSelectField {...props} nodes={tree ?? []} loading={!tree} />,
            },
            'location',
            'deptId',
            'teamId',
            { group: t('machines.groups.people') },
            {
              key: 'dutyUserId',
              control: (props, form, row) => (
                <PersonField
                  {...props}
                  near={near(form, row)}
                  id={row?.dutyUserId}
                  person={row?.dutyUserName}
                />
              ),
            },
            {
              key: 'maintainUserId',
              control: (props, form, row) => (
                <PersonField
                  {...props}
                  near={near(form, row)}
                  id={row?.maintainUserId}
                  person={row?.maintainUserName}
                />
              ),
            },
            { group: t('machines.groups.origin') },
            'assetNo',
            'originalValue',
            ofMachines('manufacturer'),
            'supplier',
            'supplierPhone',
            ofMachines('madeDate'),
            'purchaseDate',
            ofMachines('inServiceDate'),
            ofMachines('warrantyEnd'),
            { group: t('machines.groups.files') },
            'photo',
            'images',
            'files',
            'remark',
            {
              key: 'ext',
              control: () => (
                <OfMachines>
                  {Object.keys(extras.fields).length > 0 && <FieldGroup title={label('ext')} />}
                  <ExtraControls about={inspectmachine} />
                </OfMachines>
              ),
            },
          ],
          ruleOf,
        )}
        detail={[
          'warrantyState',
          'runHours',
          'avgDailyHours',
          'lastReadTime',
          'openRepairCount',
          'lastInspectTime',
          'nextInspectTime',
          'lastMaintainTime',
          'nextMaintainDate',
        ]}
        rowActions={(row) =>
          mayChange(row)
            ? [
                {
                  key: 'state',
                  label: t('machines.state.title'),
                  onClick: () => setChanged({ rows: [row] }),
                },
              ]
            : []
        }
        bulk={(rows, clear) =>
          holds('inspectmachine_edit') && (
            <Button
              disabled={!rows.some(mayChange)}
              onClick={() => setChanged({ rows: rows.filter(mayChange), clear })}
            >
              {t('machines.state.title')}
            </Button>
          )
        }
        initial={NEW}
        touches={[[inspecttype.name]]}
        pane={{ title: t('machines.tree'), nodes: tree, param: 'parentId', field: 'parentId' }}
        removeHint={t('machines.removeHint')}
        empty={{
          title: t('machines.empty'),
          hint: t(holds('inspectmachine_add') ? 'machines.emptyHint' : 'machines.emptyNoRight'),
        }}
        extra={(row) => (
          <p className="x-fact-group">
            <Link to={`${MACHINES}/${row.id}`}>
              <Button>{t('machines.open')}</Button>
            </Link>{' '}
            {seesRepairs && (
              <Link to={`${REPAIRS}?view=all&machineId=${row.id}`}>
                <Button>{t('machines.lastRepairs')}</Button>
              </Link>
            )}
          </p>
        )}
      />
      {changed && (
        <ChangeState machines={changed.rows} onDone={changed.clear} onClose={() => setChanged(undefined)} />
      )}
    </>
  );
}
