/** Choosing a machine: one's own and those reported lately in sight, a scan, and the rest by name, code or place. */
import { RightOutlined, ScanOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Button, Input, TreeSelect } from 'antd';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { ChooserProps } from '@/kit/choosers';
import { Drawer } from '@/kit/overlays';
import { type Source, useChoices } from '@/kit/references';
import { EmptyState, ErrorLine, PageSkeleton } from '@/kit/states';
import { keysOf } from '@/kit/tree';
import { useDebounced } from '@/kit/useDebounced';
import { usePhone } from '@/kit/width';
import { canScan } from '@/screens/shared/camera';
import { useMachineNodes } from '@/screens/shared/machines';
import { useSession } from '@/session/session';
import { ScanDrawer } from './scan';

const MACHINES = '/yuzhu-equip/inspectmachine';
const SCRAPPED = 7;
/** Of each kind so many stand in sight; the rest is one tap further. */
const QUICK = 3;
/** Orders that are looked through for the machines one has reported lately. */
const LOOKED = 20;
const LEVELS_OPEN = 2;

interface Machine {
  id: string;
  name: string;
  code: string;
  /** Where it stands. */
  place?: string;
}

const listed = ({ id, machineName, machineCode, path }: Wire<'MachineOption'>): Machine => ({
  id,
  name: machineName,
  code: machineCode,
  place: path,
});

/** Nodes of these kinds; `keyword` is a part of name, code or place. */
function useMachines(asked: { nodeType: string; mine?: number; keyword?: string }) {
  return useQuery({
    queryKey: ['inspectmachine', 'choice', asked],
    queryFn: ({ signal }) => api.get(`${MACHINES}/getList`, asked, signal),
    staleTime: 60_000,
    select: (rows) => rows.filter((row) => row.runState !== SCRAPPED).map(listed),
  });
}

/** What the person has reported lately, the latest first, each once. */
function useReported(enabled: boolean): Machine[] {
  const session = useSession();
  const { data } = useQuery({
    queryKey: ['orders', 'machines of', session?.userId],
    queryFn: ({ signal }) =>
      api.get('/yuzhu-equip/repairorder/list', { reportUserId: session?.userId, size: LOOKED }, signal),
    enabled: enabled && session !== undefined,
    staleTime: 60_000,
  });
  const found = (data?.records ?? []).map(({ machineId, machineName, machineCode }) => ({
    id: machineId,
    name: machineName,
    code: machineCode,
  }));
  return found.filter(({ id }, index) => found.findIndex((other) => other.id === id) === index);
}

interface ChoiceProps extends Omit<ChooserProps, 'source'> {
  /** Kinds of nodes that the field takes: machines, or their components too. */
  kinds: string;
}

const MACHINE = '4';
const BOTH = '4,5';
const kindsOf = ({ ref }: Source) => new URLSearchParams(ref.split('?')[1]).get('nodeType') ?? BOTH;

export default function MachineChooser({ id, value, onChange, disabled, source }: ChooserProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const [scans, setScans] = useState(false);
  const kinds = kindsOf(source);
  const { data: mine = [] } = useMachines({ nodeType: MACHINE, mine: 1 });
  // An order does not say of which kind its machine is.
  const reported = useReported(kinds === BOTH).filter(({ id: one }) => !mine.some((own) => own.id === one));
  const take = (machine: string) => onChange?.(machine);
  const picker = { id, value, onChange, disabled, kinds };
  return (
    <>
      <div className="x-machine">
        {phone ? <MachineButton {...picker} mine={mine} reported={reported} /> : <MachineTree {...picker} />}
        {canScan() && (
          <Button
            icon={<ScanOutlined />}
            aria-label={t('machines.chooser.scan')}
            disabled={disabled}
            onClick={() => setScans(true)}
          />
        )}
      </div>
      <Quick label={t('machines.chooser.mine')} machines={mine.slice(0, QUICK)} value={value} take={take} />
      <Quick
        label={t('machines.chooser.reported')}
        machines={reported.slice(0, QUICK)}
        value={value}
        take={take}
      />
      {scans && <ScanDrawer onFound={take} onClose={() => setScans(false)} />}
    </>
  );
}

interface QuickProps {
  label: string;
  machines: readonly Machine[];
  value: string | null | undefined;
  take: (id: string) => void;
}

function Quick({ label, machines, value, take }: QuickProps) {
  if (machines.length === 0) return null;
  return (
    <fieldset className="x-words x-machine-quick" aria-label={label}>
      <span className="x-hint">{label}</span>
      {machines.map(({ id, name, code }) => (
        <label key={id} className="x-word">
          <input type="radio" checked={value === id} onChange={() => take(id)} />
          {name} {code}
        </label>
      ))}
    </fieldset>
  );
}

/** All machines where they stand. */
function MachineTree({ id, value, onChange, disabled, kinds }: ChoiceProps) {
  const { t } = useTranslation();
  const nodes = useMachineNodes(kinds.split(',').map(Number));
  return (
    <TreeSelect
      id={id}
      value={value ?? undefined}
      onChange={(chosen?: string) => onChange?.(chosen ?? null)}
      treeData={nodes}
      fieldNames={{ label: 'label', value: 'key', children: 'children' }}
      showSearch={{ treeNodeFilterProp: 'label' }}
      treeExpandAction="click"
      // What to unfold is decided once: not before the nodes are there.
      key={nodes ? 'ready' : 'waiting'}
      treeDefaultExpandedKeys={keysOf(nodes ?? [], LEVELS_OPEN)}
      loading={!nodes}
      disabled={disabled || !nodes}
      placeholder={t(nodes?.length === 0 ? 'machines.chooser.nothing' : 'machines.chooser.hint')}
      listHeight={320}
    />
  );
}

interface Near {
  mine: readonly Machine[];
  reported: readonly Machine[];
}

/** Shows the chosen machine and opens the sheet of all. */
function MachineButton({ id, value, onChange, disabled, kinds, ...near }: ChoiceProps & Near) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { choices } = useChoices({ ref: `${MACHINES}/select` }, '', value ? [value] : []);
  const chosen = choices.find((choice) => choice.value === value);
  return (
    <>
      <button
        type="button"
        id={id}
        className="x-machine-button"
        aria-haspopup="dialog"
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        <span className={chosen ? undefined : 'x-quiet'}>{chosen?.label ?? t('machines.chooser.pick')}</span>
        {chosen && <span className="x-hint">{chosen.hint}</span>}
        <RightOutlined />
      </button>
      {open && (
        <Drawer
          open
          title={t('machines.chooser.pick')}
          placement="bottom"
          size="92dvh"
          onClose={() => setOpen(false)}
        >
          <MachineList
            {...near}
            kinds={kinds}
            take={(machine) => {
              setOpen(false);
              onChange?.(machine);
            }}
          />
        </Drawer>
      )}
    </>
  );
}

function MachineList({ mine, reported, kinds, take }: Near & { kinds: string; take: (id: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const keyword = useDebounced(typed.trim());
  const { data, error } = useMachines({ nodeType: kinds, ...(keyword && { keyword }) });
  const section = (title: string, machines: readonly Machine[]) =>
    machines.length > 0 && (
      <section aria-label={title}>
        <h2 className="x-hint">{title}</h2>
        <ul className="x-plain">
          {machines.map(({ id, name, code, place }) => (
            <li key={id}>
              <button type="button" className="x-machine-row" onClick={() => take(id)}>
                <span>{name}</span>
                <span className="x-hint">{[code, place].filter(Boolean).join(' · ')}</span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  return (
    <div className="x-machine-list">
      <Input
        size="large"
        allowClear
        type="search"
        placeholder={t('machines.chooser.search')}
        aria-label={t('machines.chooser.search')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      {!keyword && section(t('machines.chooser.mine'), mine)}
      {!keyword && section(t('machines.chooser.reported'), reported)}
      {error && <ErrorLine error={error} />}
      {!data && !error && <PageSkeleton />}
      {data && section(t(keyword ? 'machines.chooser.found' : 'machines.chooser.all'), data)}
      {data?.length === 0 && (
        <EmptyState title={t(keyword ? 'machines.chooser.none' : 'machines.chooser.nothing')} />
      )}
    </div>
  );
}
