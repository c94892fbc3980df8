/** The history card of one machine: what it is, how reliable it is, its counter, its orders, stops and changes. */
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { DocumentPage } from '@/kit/DocumentPage';
import type { Fact } from '@/kit/Facts';
import { Minutes } from '@/kit/Minutes';
import { Section } from '@/kit/Section';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { Timeline } from '@/kit/Timeline';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { useLogWords } from '@/screens/shared/logWords';
import { CALL, LIST, MACHINES, REPORT } from '@/screens/shared/orders';
import { StopSpan } from '@/screens/shared/StopSpan';
import { useCan, useCanOpen } from '@/session/rights';
import { ChangeState, MACHINE, SCRAPPED, useMayChangeState } from './ChangeState';
import { MachineFigures } from './MachineFigures';
import { MachineMeter } from './MachineMeter';
import { MachineProfile } from './MachineProfile';
import { MachineStates } from './MachineStates';
import { MachineUpkeep } from './MachineUpkeep';
import './machine.css';

type Machine = Wire<'MachineCard'>;
type History = Wire<'MachineHistory'>;

function useMachine(id: string) {
  return useQuery({
    queryKey: ['inspectmachine', 'detail', id],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectmachine/detail', { id }, signal),
  });
}

export default function MachinePage() {
  const { id = '' } = useParams();
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: machine, error, refetch } = useMachine(id);
  const mayReport = useCan('repairorder_add');
  const seesRepairs = useCanOpen(LIST);
  const seesUpkeep = useCan('maintainorder_view');
  const mayChange = useMayChangeState();
  const [changes, setChanges] = useState(false);
  const runs = machine && (machine.nodeType ?? MACHINE) >= MACHINE;
  const reports = mayReport && runs && machine.runState !== SCRAPPED && machine.isSealed !== 1;
  return (
    <DocumentPage
      loading={!machine}
      error={machine ? undefined : error}
      retry={refetch}
      parent={MACHINES}
      number={machine?.machineCode ?? ''}
      title={machine?.machineName ?? ''}
      state={machine && <State machine={machine} />}
      facts={useFacts(machine)}
      tags={machine?.isSealed === 1 && <ToneTag tone="off">{t('machines.sealed')}</ToneTag>}
      actions={[
        ...(machine && mayChange(machine)
          ? [{ key: 'state', label: t('machines.state.title'), onClick: () => setChanges(true) }]
          : []),
        ...(reports
          ? [
              {
                key: 'report',
                label: t('machines.report'),
                kind: 'main' as const,
                onClick: () => navigate(`${REPORT}?machineId=${id}`),
              },
            ]
          : []),
      ]}
    >
      {machine && (
        <>
          <MachineFigures machine={machine} seesRepairs={seesRepairs} />
          <div className="x-card-two">
            {runs && <MachineMeter machine={machine} />}
            {seesRepairs && <Orders machine={machine} />}
          </div>
          {runs && seesUpkeep && <MachineUpkeep id={id} unit={machine.meterUnitName} />}
          <MachineProfile machine={machine} />
          {seesRepairs && <Story id={id} />}
          <div className="x-card-two">
            <MachineStates changes={machine.stateChanges} seesRepairs={seesRepairs} />
            <Edits id={id} />
          </div>
          {changes && <ChangeState machines={[machine]} onClose={() => setChanges(false)} />}
        </>
      )}
    </DocumentPage>
  );
}

function State({ machine }: { machine: Machine }) {
  if ((machine.nodeType ?? MACHINE) < MACHINE) return null;
  return <StateTag dict="machine_run_state" value={machine.runState} text={machine.runStateName} />;
}

/** What is not known takes no room. */
function useFacts(machine: Machine | undefined): Fact[] {
  const { t } = useTranslation();
  if (!machine) return [];
  const { location, deptName, brand, model, teamName, maintainUserName, dutyUserName, remark } = machine;
  const { scrapDate, scrapReason } = machine;
  const facts: [string, ReactNode][] = [
    [t('machines.facts.place'), [machine.parentName, location].filter(Boolean).join(' · ')],
    [t('machines.facts.class'), machine.typeName],
    [t('machines.facts.dept'), deptName],
    [t('machines.facts.model'), [brand, model].filter(Boolean).join(' ')],
    [t('machines.facts.importance'), machine.importanceName],
    [t('machines.facts.labels'), machine.tagNames],
    [t('machines.facts.repair'), [teamName, maintainUserName].filter(Boolean).join(' · ')],
    [t('machines.facts.owner'), dutyUserName],
    [t('machines.facts.scrapped'), [scrapDate, scrapReason].filter(Boolean).join(' · ')],
    [t('machines.facts.remark'), remark],
  ];
  return facts.filter(([, value]) => Boolean(value)).map(([label, value]) => ({ label, value }));
}

function Story({ id }: { id: string }) {
  const { data: history } = useQuery({
    queryKey: ['orders', 'machine', id],
    queryFn: ({ signal }) => api.get(`${CALL}/machineHistory`, { machineId: id }, signal),
  });
  if (!history) return null;
  return (
    <>
      <Numbers history={history} />
      {history.lastStops.length > 0 && <Stops history={history} />}
    </>
  );
}

function Numbers({ history }: { history: History }) {
  const { t } = useTranslation();
  const numbers: [string, ReactNode][] = [
    [t('machines.history.reported'), history.reported],
    [t('machines.history.open'), history.open],
    [t('machines.history.repeats'), history.repeats],
    [t('machines.history.reworks'), history.reworks],
    [t('machines.history.stops'), history.stops],
    [t('machines.history.stopMinutes'), <Minutes key="stop" value={history.stopMinutes} />],
    [t('machines.history.avgResponse'), <Minutes key="response" value={history.avgResponseMinutes} />],
    [t('machines.history.avgRepair'), <Minutes key="repair" value={history.avgRepairMinutes} />],
    [t('machines.history.labour'), <Minutes key="labour" value={history.labourMinutes} />],
    [t('machines.history.cost'), yuan(history.totalCost)],
  ];
  return (
    <Section title={t('machines.history.title', { from: history.from, to: history.to })}>
      <dl className="x-facts">
        {numbers.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {history.symptoms.length > 0 && (
        <p className="x-marks">
          {history.symptoms.map(({ tagId, tagName, count }) => (
            <span key={tagId} className="x-tag x-tone-quiet">
              {tagName} ×{count}
            </span>
          ))}
        </p>
      )}
    </Section>
  );
}

function Orders({ machine }: { machine: Machine }) {
  const { t } = useTranslation();
  const orders = machine.lastOrders;
  return (
    <Section
      title={t('machines.history.orders')}
      action={
        orders.length > 0 && (
          <Link to={`${LIST}?view=all&machineId=${machine.id}`}>
            <Button type="link">{t('machines.history.all')}</Button>
          </Link>
        )
      }
    >
      {orders.length === 0 ? (
        <p className="x-quiet">{t('machines.history.none')}</p>
      ) : (
        <ul className="x-plain">
          {orders.map((order) => (
            <li key={order.id} className="x-line">
              <div>
                <Link to={`${LIST}/${order.id}`}>{order.title}</Link>
                <div className="x-quiet">
                  {order.orderNo} · {moment(order.time)}
                </div>
              </div>
              <span className="x-line-end">
                <StateTag dict="repair_status" value={order.status} text={order.statusName} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Stops({ history }: { history: History }) {
  const { t } = useTranslation();
  return (
    <Section title={t('machines.history.lastStops')}>
      <ul className="x-plain">
        {history.lastStops.map((stop) => (
          <li key={`${stop.startTime}${stop.orderId}`} className="x-line">
            <div>
              <StopSpan stop={stop} />
              {stop.orderId && (
                <div className="x-quiet">
                  <Link to={`${LIST}/${stop.orderId}`}>{stop.orderNo}</Link>
                </div>
              )}
            </div>
            <span className="x-line-end">
              <Minutes value={stop.minutes} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What people have changed of it. */
function Edits({ id }: { id: string }) {
  const { t } = useTranslation();
  const words = useLogWords();
  const { data: edits } = useQuery({
    queryKey: ['inspectmachine', 'edits', id],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/inspectmachine/edits', { id }, signal),
  });
  if (!edits || edits.length === 0) return null;
  return (
    <Section title={t('machines.edits')}>
      <Timeline
        items={edits.map((edit) => ({
          key: edit.id,
          time: edit.time,
          title: words.verb(edit.operation),
          by: edit.userName,
          note: edit.changes.map((change) => <div key={change}>{change}</div>),
        }))}
      />
    </Section>
  );
}
