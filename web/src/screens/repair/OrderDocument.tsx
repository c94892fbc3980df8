/** A repair order as a document: who has it and what comes next, everything known, what happened, what may be done. */
import { Tabs } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { type DocumentAction, DocumentPage, Section } from '@/kit/DocumentPage';
import type { Fact } from '@/kit/Facts';
import { Files } from '@/kit/Files';
import { Minutes } from '@/kit/Minutes';
import { Photos } from '@/kit/Photos';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { PageSkeleton } from '@/kit/states';
import { Voice } from '@/kit/Voice';
import { moment } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { useCanOpen } from '@/session/rights';
import { Holder, StandsStill, useTimeline } from '@/workflow/RecordStory';
import { DeleteLine, type Line, LineForm, LineRows } from './lines';
import { Marks } from './marks';
import { CALL, LIST, MACHINES, ORDER_TOUCHED, useOrder } from './queries';
import { EditForm, StepForm } from './StepForm';
import { isOurs, type Step } from './steps';

const ProcessDiagram = lazy(() => import('@/workflow/ProcessDiagram'));

type Order = Wire<'RepairOrderDetail'>;
type Action = Wire<'RepairOrderDetailAllowedActionsEnum'>;

/** In the order of the bar; the first that is allowed is the main one. */
const ORDER: readonly Action[] = [
  'finish',
  'check',
  'accept',
  'resume',
  'dispatch',
  'claim',
  'line',
  'hang',
  'transfer',
  'refuse',
  'edit',
  'cancel',
  'remove',
];
/** Never the main action: they change nothing that somebody waits for. */
const BESIDE: readonly Action[] = ['line', 'hang', 'transfer', 'refuse', 'edit', 'cancel', 'remove'];

type Open = { kind: 'step'; step: Step } | { kind: 'edit' } | { kind: 'remove' };

interface OrderDocumentProps {
  id: string;
  /** Where "back" leads. */
  parent?: string;
  /** The task in the queue that led here. */
  task?: Wire<'TaskDetail'>;
  before?: ReactNode;
}

export function OrderDocument({ id, parent = LIST, task, before }: OrderDocumentProps) {
  const { t } = useTranslation();
  const { data: order, error, refetch } = useOrder(id);
  const facts = useFacts(order);
  const timeline = useTimeline(order);
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>();
  const [line, setLine] = useState<Line | 'new'>();
  const [doomed, setDoomed] = useState<Line>();

  const offered = order?.allowedActions ?? [];
  // A step that a changed model added has no sentence of ours; the diagram shows what follows it.
  const node = order?.openTask?.node ?? '';
  // One way out at a time: what can be cancelled is deleted only after that.
  const allowed = ORDER.filter(
    (action) => offered.includes(action) && !(action === 'remove' && offered.includes('cancel')),
  );
  const main = allowed.find((action) => !BESIDE.includes(action));
  const start = (action: Action) => {
    if (action === 'line') setLine('new');
    else if (action === 'edit' || action === 'remove') setOpen({ kind: action });
    else setOpen({ kind: 'step', step: action });
  };
  const actions = [...allowed].reverse().map(
    (action): DocumentAction => ({
      key: action,
      label: t(`repair.action.${action}`),
      kind: action === main ? 'main' : action === 'cancel' || action === 'remove' ? 'danger' : undefined,
      onClick: () => start(action),
    }),
  );

  return (
    <>
      <DocumentPage
        loading={!order}
        error={order ? undefined : error}
        retry={refetch}
        parent={parent}
        before={before ?? <StandsStill record={order} />}
        number={order?.orderNo ?? ''}
        title={order?.title ?? ''}
        state={order && <StateTag dict="repair_status" value={order.status} text={order.statusName} />}
        tags={order && <Tags order={order} />}
        facts={facts}
        holder={order?.openTask && <Holder task={order.openTask} />}
        next={isOurs(node) && t(`repair.next.${node}`)}
        timeline={timeline}
        actions={actions}
      >
        {order && (
          <Tabs
            className="x-doc-tabs"
            items={[
              {
                key: 'detail',
                label: t('repair.tabs.detail'),
                children: (
                  <div className="x-doc-main">
                    <Fault order={order} />
                    <Work order={order} onLine={setLine} onDelete={setDoomed} />
                    <Result order={order} />
                    <Costs order={order} />
                  </div>
                ),
              },
              {
                key: 'diagram',
                label: t('repair.tabs.diagram'),
                children: (
                  <Suspense fallback={<PageSkeleton />}>
                    <ProcessDiagram processInstanceId={order.processInstanceId} />
                  </Suspense>
                ),
              },
            ]}
          />
        )}
      </DocumentPage>
      {order && open?.kind === 'step' && (
        <StepForm
          key={open.step}
          order={order}
          step={open.step}
          task={task}
          onAddLine={() => setLine('new')}
          onClose={() => setOpen(undefined)}
        />
      )}
      {order && open?.kind === 'edit' && <EditForm order={order} onClose={() => setOpen(undefined)} />}
      {order && open?.kind === 'remove' && (
        <ConfirmDialog
          title={t('kit.deleteConfirm')}
          okText={t('kit.delete')}
          danger
          run={() => api.post(`${CALL}/remove`, undefined, { ids: order.id })}
          invalidates={ORDER_TOUCHED}
          onDone={() => navigate(LIST, { replace: true })}
          onClose={() => setOpen(undefined)}
        >
          {t('repair.removeWhat', { number: order.orderNo })}
        </ConfirmDialog>
      )}
      {order && line && (
        <LineForm order={order} line={line === 'new' ? undefined : line} onClose={() => setLine(undefined)} />
      )}
      {doomed && <DeleteLine line={doomed} onClose={() => setDoomed(undefined)} />}
    </>
  );
}

function Tags({ order }: { order: Order }) {
  return (
    <>
      {order.urgency < 3 && <StateTag dict="repair_urgency" value={order.urgency} text={order.urgencyName} />}
      <Marks order={order} />
    </>
  );
}

function By({ who, time, more }: { who: string; time: string | null; more?: ReactNode }) {
  return (
    <>
      {who || '-'}
      {more && <div>{more}</div>}
      {time && <div className="x-quiet">{moment(time)}</div>}
    </>
  );
}

/** Each time the machine stood; the fact shows how long in all. */
function Stops({ order }: { order: Order }) {
  const { t } = useTranslation();
  return (
    <>
      <Minutes value={order.stopMinutes} />
      {order.stops.map(({ startTime, endTime }) => (
        <div className="x-quiet" key={startTime}>
          {endTime
            ? t('repair.facts.stopRange', { since: moment(startTime), until: moment(endTime) })
            : t('repair.facts.stopSince', { since: moment(startTime) })}
        </div>
      ))}
    </>
  );
}

/** What is not known yet, or does not concern this order, takes no room. */
function useFacts(order: Order | undefined): Fact[] {
  const { t } = useTranslation();
  const seesMachines = useCanOpen(MACHINES);
  if (!order) return [];
  const open = order.openTask !== null;
  const facts: (Fact | false)[] = [
    {
      label: t('repair.machine'),
      value: (
        <>
          {seesMachines ? (
            <Link to={`${MACHINES}/${order.machineId}`}>{order.machineName}</Link>
          ) : (
            order.machineName
          )}
          <div className="x-quiet">{order.machineCode}</div>
        </>
      ),
    },
    {
      label: t('repair.facts.location'),
      value: [order.location, order.deptName].filter(Boolean).join(' · '),
    },
    {
      label: t('repair.facts.reported'),
      value: (
        <By
          who={order.reportUserName}
          time={order.reportTime}
          more={open && order.reportPhone && <a href={`tel:${order.reportPhone}`}>{order.reportPhone}</a>}
        />
      ),
    },
    Boolean(order.repairUserName || order.teamName) && {
      label: t('repair.facts.repair'),
      value: (
        <By
          who={order.repairUserName || order.teamName}
          time={order.acceptTime}
          more={
            order.helperNames.length > 0 &&
            t('repair.facts.helpers', { names: order.helperNames.join(' · ') })
          }
        />
      ),
    },
    order.responseMinutes !== null && {
      label: t('repair.facts.response'),
      value: <Minutes value={order.responseMinutes} />,
    },
    open &&
      !order.acceptTime && {
        label: t('repair.facts.responseDue'),
        value: <Due time={order.responseDue} late={order.isResponseLate} />,
      },
    open &&
      order.openTask?.node !== 'check' &&
      order.finishDue !== null && {
        label: t(order.planFinishTime ? 'repair.facts.plan' : 'repair.facts.finishDue'),
        value: <Due time={order.finishDue} late={order.isFinishLate} />,
      },
    order.isStop === 1 && { label: t('repair.facts.stop'), value: <Stops order={order} /> },
    order.repairType !== null && { label: t('repair.facts.type'), value: order.repairTypeName },
    Boolean(order.repairMinutes) && {
      label: t('repair.facts.repairTime'),
      value: <Minutes value={order.repairMinutes} />,
    },
    Boolean(order.hangMinutes) && {
      label: t('repair.facts.holdTime'),
      value: <Minutes value={order.hangMinutes} />,
    },
    order.repeatOfId !== null && {
      label: t('repair.facts.repeat'),
      value: (
        <>
          {t('repair.facts.repeatTimes', { n: order.repeatCount })}
          <div>
            <Link to={`${LIST}/${order.repeatOfId}`}>{order.repeatOfNo}</Link>
          </div>
        </>
      ),
    },
    order.hangStart !== null && {
      label: t('repair.facts.hold'),
      value: [order.hangReasonName, order.hangRemark].filter(Boolean).join(' · '),
    },
    order.cancelReason !== null && { label: t('repair.facts.cancel'), value: order.cancelReasonName },
  ];
  return facts.filter((fact) => fact !== false);
}

function Due({ time, late }: { time: string; late: number }) {
  const { t } = useTranslation();
  return (
    <>
      <span className="x-nowrap">{moment(time)}</span>{' '}
      {late === 1 && <ToneTag tone="bad">{t('repair.late')}</ToneTag>}
    </>
  );
}

function Fault({ order }: { order: Order }) {
  const { t } = useTranslation();
  return (
    <Section title={t('repair.fault')}>
      <p className="x-text">{order.description}</p>
      {order.faultTagNames.length > 0 && (
        <p className="x-marks">
          {order.faultTagNames.map((name) => (
            <span key={name} className="x-tag x-tone-quiet">
              {name}
            </span>
          ))}
        </p>
      )}
      {order.images.length > 0 && <Photos links={order.images} />}
      {order.voice && <Voice link={order.voice.link} seconds={order.voice.seconds} />}
      {order.files.length > 0 && <Files files={order.files} />}
    </Section>
  );
}

interface WorkProps {
  order: Order;
  onLine: (line: Line) => void;
  onDelete: (line: Line) => void;
}

function Work({ order, onLine, onDelete }: WorkProps) {
  const { t } = useTranslation();
  const may = order.allowedActions.includes('line');
  if (order.lines.length === 0 && !order.acceptTime) return null;
  return (
    <Section title={t('repair.lines.title')}>
      {order.lines.length === 0 ? (
        <p className="x-quiet">
          {t('repair.lines.none')} {may && t('repair.lines.noneHint')}
        </p>
      ) : (
        <LineRows order={order} onEdit={may ? onLine : undefined} onDelete={may ? onDelete : undefined} />
      )}
    </Section>
  );
}

function Result({ order }: { order: Order }) {
  const { t } = useTranslation();
  if (!order.solution && order.afterImages.length === 0) return null;
  const score = order.checkScore ? t('repair.result.score', { n: order.checkScore }) : '';
  return (
    <Section title={t('repair.result.title')}>
      <p className="x-text">{order.solution}</p>
      <dl className="x-facts">
        <div>
          <dt>{t('repair.result.cause')}</dt>
          <dd>{order.causeTagName || '-'}</dd>
        </div>
        <div>
          <dt>{t('repair.result.actions')}</dt>
          <dd>{order.actionTagNames.join(' · ') || '-'}</dd>
        </div>
        {order.partMachineName && (
          <div>
            <dt>{t('repair.result.part')}</dt>
            <dd>{order.partMachineName}</dd>
          </div>
        )}
        {order.checkResult !== null && (
          <div className="x-full">
            <dt>{t('repair.result.check')}</dt>
            <dd>
              <span className="x-marks">
                <StateTag dict="check_result" value={order.checkResult} text={order.checkResultName} />
                {score}
                <span className="x-quiet">
                  {t('repair.result.checkBy', {
                    who: order.checkUserName || t('work.story.system'),
                    time: moment(order.checkTime),
                  })}
                </span>
              </span>
              {order.checkRemark && <div className="x-line-text">{order.checkRemark}</div>}
            </dd>
          </div>
        )}
      </dl>
      {order.afterImages.length > 0 && (
        <div className="x-before-after">
          <figure>
            <figcaption>{t('repair.result.before')}</figcaption>
            <Photos links={order.images} />
          </figure>
          <figure>
            <figcaption>{t('repair.result.after')}</figcaption>
            <Photos links={order.afterImages} />
          </figure>
        </div>
      )}
    </Section>
  );
}

/** What the repair cost, once there is something to add up. */
function Costs({ order }: { order: Order }) {
  const { t } = useTranslation();
  if (order.totalCost === 0) return null;
  const rows = [
    { label: t('repair.cost.labour'), value: order.labourCost, note: '' },
    { label: t('repair.cost.outsource'), value: order.outsourceCost, note: order.vendorName },
    { label: t('repair.cost.other'), value: order.otherCost, note: '' },
  ].filter(({ value, note }) => value > 0 || note !== '');
  return (
    <Section title={t('repair.cost.title')}>
      <ul className="x-plain">
        {rows.map(({ label, value, note }) => (
          <li key={label} className="x-line">
            <div>
              {label} {note && <span className="x-quiet">{note}</span>}
            </div>
            <span className="x-line-end">{yuan(value)}</span>
          </li>
        ))}
      </ul>
      {rows.length > 1 && (
        <div className="x-line x-line-sum">
          <span>{t('repair.lines.total')}</span>
          <span>{yuan(order.totalCost)}</span>
        </div>
      )}
    </Section>
  );
}
