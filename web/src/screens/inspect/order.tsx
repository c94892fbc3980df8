/** The page of an inspection task: its points in order, walked on a desk or on a phone, each value judged as it is typed. */
import { LineChartOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Alert, Button, Input } from 'antd';
import dayjs from 'dayjs';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router';
import { ApiError, api } from '@/api/client';
import { inspectorder } from '@/api/nouns/inspectorder';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { type DocumentAction, DocumentPage } from '@/kit/DocumentPage';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextAreaField } from '@/kit/fields';
import { useLabels } from '@/kit/nounText';
import { Photos } from '@/kit/Photos';
import { PhotosInput } from '@/kit/PhotosInput';
import { PhotosOnDevice } from '@/kit/photoStore';
import { INSPECTION, useRequired } from '@/kit/required';
import { Section } from '@/kit/Section';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { ErrorLine } from '@/kit/states';
import type { TimelineItem } from '@/kit/Timeline';
import { AsOf, useAsOf, useUnsent } from '@/kit/unsent';
import { useAction } from '@/kit/useAction';
import { MINUTE, WIRE } from '@/lib/dates';
import { randomKey } from '@/lib/random';
import { LIST as REPAIRS, REPORT } from '@/screens/shared/orders';
import { ItemMarks, ItemNorm } from '@/screens/shared/standards/ItemView';
import { CHOICE, METER, NUMBER, PASS_FAIL, PHOTO } from '@/screens/shared/standards/items';
import { LimitScale } from '@/screens/shared/standards/LimitScale';
import { draftOf, dropDraft, keepDraft } from '@/session/drafts';
import { discard, refusalOf, type Sent, submit, taskAddress, type Unsent } from '@/session/offline';
import { ForecastMark } from './forecast';
import { windowText } from './order.page';
import { PlateGate } from './PlateGate';
import type { Opened } from './scans';
import { TrendDrawer } from './Trend';
import {
  BAD,
  EMPTY,
  type Entries,
  type Entry,
  errorOf,
  type Item,
  lacking,
  NOT_APPLICABLE,
  OK,
  type Point,
  resultOf,
  toRecords,
  unfit,
} from './walk';
import '@/screens/shared/standards/walk.css';

type Task = Wire<'TaskShown'>;
type Answer = Wire<'PointSubmitted'>;
/** What came of a submission: the server's answer, or nothing yet. */
type Outcome = Answer | 'waiting';
const PAGE = '/inspect/order';
const CALL = '/yuzhu-equip/inspectorder';
const [TODO, MISSED] = [1, 4];
/** Of a task and of a point of one. */
const [EXEMPT, EXEMPT_POINT] = [5, 4];
const IN_ORDER = 1;
const SCAN_REFUSALS = new Set(['inspectorder.scanFirst', 'inspectorder.scanOther']);
const TONES = { 1: 'good', 2: 'waiting', 3: 'bad', 4: 'off' } as const;
const toneOf = (result: number | null | undefined) => TONES[result as 1] ?? 'quiet';
const isOpen = ({ openTime, order }: Task, now: string) => openTime <= now && now <= order.deadline;
type Form = 'void' | 'exempt' | 'review';

export default function TaskPage() {
  const { id = '' } = useParams();
  const point = useSearchParams()[0].get('point') ?? undefined;
  const { t } = useTranslation();
  const label = useLabels(inspectorder);
  const [form, setForm] = useState<Form>();
  const [release, setRelease] = useState(false);
  const { data, error, refetch } = useQuery({
    queryKey: [inspectorder.name, 'task', id],
    queryFn: ({ signal }) => api.get(`${CALL}/task`, { id }, signal),
  });
  const unsent = useUnsent([inspectorder.name]);
  const isKept = useAsOf(taskAddress(id)) !== undefined;
  const begun = `start.${id}`;
  const start = useAction({
    run: async () => {
      const key = randomKey();
      const sent = await submit({
        id: key,
        kind: 'start',
        about: begun,
        task: id,
        title: t('rounds.task.start'),
        group: data?.order.groupName ?? '',
        at: Date.now(),
        page: `${PAGE}/${id}`,
        body: { id },
      });
      if (sent.state !== 'refused') return;
      await discard(key);
      throw sent.error;
    },
    invalidates: [[inspectorder.name]],
  });
  const order = data?.order;
  // What may be done was said when the task was fetched: without a network its time may have come meanwhile.
  const ready = data && isKept && order && isOpen(data, dayjs().format(WIRE)) ? data.mayInspect === 1 : false;
  const isBegun = unsent.outcomes.has(begun) || unsent.items.some(({ about }) => about === begun);
  const can = (name: string) =>
    name === 'start' && isBegun
      ? false
      : (data?.actions.includes(name) ?? false) ||
        (ready && (name === 'inspect' || (name === 'start' && order?.status === TODO)));
  const actions: DocumentAction[] = [
    ...(can('void')
      ? [
          {
            key: 'void',
            label: t('rounds.task.void'),
            kind: 'danger' as const,
            onClick: () => setForm('void'),
          },
        ]
      : []),
    ...(can('exempt')
      ? [{ key: 'exempt', label: t('rounds.task.exempt'), onClick: () => setForm('exempt') }]
      : []),
    ...(can('release')
      ? [{ key: 'release', label: t('rounds.task.release'), onClick: () => setRelease(true) }]
      : []),
    ...(can('review')
      ? [
          {
            key: 'review',
            label: t(order?.status === MISSED ? 'rounds.task.missReview' : 'rounds.task.review'),
            onClick: () => setForm('review'),
          },
        ]
      : []),
    ...(can('start')
      ? [
          {
            key: 'start',
            label: t('rounds.task.start'),
            kind: 'main' as const,
            busy: start.busy,
            onClick: () => start.run(),
          },
        ]
      : []),
  ];
  const now = isKept ? dayjs().format(WIRE) : data?.serverTime;
  const early = order?.status === TODO && now !== undefined && now < (data?.openTime ?? '');
  const fact = (name: 'voidReason' | 'exemptReason' | 'missReason' | 'checkRemark' | 'remark') =>
    order?.[name] ? [{ label: label(name), value: order[name], full: true }] : [];
  return (
    <DocumentPage
      loading={!data}
      error={data ? undefined : error}
      retry={refetch}
      parent={PAGE}
      number={order?.orderNo ?? ''}
      title={order?.groupName ?? ''}
      state={order && <StateTag dict="inspect_order_status" value={order.status} text={order.statusName} />}
      tags={
        order && (
          <>
            {order.result !== null && order.pointDone > 0 && (
              <StateTag dict="inspect_result" value={order.result} text={order.resultName} />
            )}
            {order.isLate === 1 && <ToneTag tone="waiting">{t('rounds.task.late')}</ToneTag>}
            {order.isSuspect === 1 && <ToneTag tone="waiting">{t('rounds.task.suspect')}</ToneTag>}
            {order.isSupplement === 1 && <ToneTag tone="quiet">{t('rounds.task.supplement')}</ToneTag>}
          </>
        )
      }
      note={
        order && (
          <>
            <AsOf address={taskAddress(id)} />
            {data.isClaimed === 1 && order.executorName && (
              <Alert type="info" showIcon title={t('rounds.task.claimed', { name: order.executorName })} />
            )}
            {order.status === EXEMPT && (
              <Alert
                type="info"
                showIcon
                title={t('rounds.task.exemptWhole', { status: order.statusName })}
                description={t(
                  data.details.some(({ restId }) => restId)
                    ? 'rounds.task.exemptStopped'
                    : 'rounds.task.exemptByHand',
                )}
              />
            )}
            {early && (
              <Alert
                type="info"
                showIcon
                title={t('rounds.task.notYet', { time: data.openTime.slice(0, 16) })}
              />
            )}
            {order.suspectReasons.length > 0 && (
              <Alert
                type="warning"
                showIcon
                title={label('suspectReasons')}
                description={order.suspectReasons.join(t('inspect.scale.comma'))}
              />
            )}
          </>
        )
      }
      facts={
        order
          ? [
              { label: t('rounds.task.window'), value: windowText(order.planStart, order.planEnd) },
              { label: label('deadline'), value: order.deadline.slice(0, 16) },
              {
                label: label('shiftName'),
                value: [order.shiftName, order.teamName].filter(Boolean).join(' · ') || '-',
              },
              { label: t('rounds.task.executor'), value: order.executorName || '-' },
              { label: t('rounds.task.candidates'), value: order.userNames || '-' },
              { label: t('rounds.task.leader'), value: data.leaderName },
              {
                label: t('rounds.task.counts'),
                value: t('rounds.task.progress', { done: order.pointDone, total: order.pointTotal }),
              },
              { label: label('businessDate'), value: order.businessDate },
              ...fact('missReason'),
              ...fact('voidReason'),
              ...fact('exemptReason'),
              ...fact('checkRemark'),
              ...fact('remark'),
            ]
          : []
      }
      timeline={data?.logs.map(
        (log, index): TimelineItem => ({
          key: String(index),
          time: log.time,
          title: log.actionName,
          by: log.userName,
          note: log.remark && log.remark !== order?.orderNo ? log.remark : undefined,
          tone: log.action === 'miss' ? 'bad' : 'quiet',
        }),
      )}
      actions={actions}
      actionError={start.error}
    >
      {data && (
        <PhotosOnDevice>
          <Walk
            key={`${id} ${point}`}
            task={data}
            begins={point}
            mayInspect={can('inspect')}
            unsent={unsent}
          />
        </PhotosOnDevice>
      )}
      {form && order && <ReasonForm kind={form} order={order} onClose={() => setForm(undefined)} />}
      {release && (
        <ConfirmDialog
          title={t('rounds.task.release')}
          okText={t('rounds.task.release')}
          run={() => api.post(`${CALL}/release`, { id })}
          invalidates={[[inspectorder.name]]}
          onClose={() => setRelease(false)}
        >
          {t('rounds.task.releaseText')}
        </ConfirmDialog>
      )}
    </DocumentPage>
  );
}

function ReasonForm({ kind, order, onClose }: { kind: Form; order: Task['order']; onClose: () => void }) {
  const { t } = useTranslation();
  const label = useLabels(inspectorder);
  const missed = kind === 'review' && order.status === MISSED;
  const name = kind === 'review' ? (missed ? 'missReason' : 'checkRemark') : 'reason';
  const title = t(missed ? 'rounds.task.missReview' : `rounds.task.${kind}`);
  return (
    <FormDrawer<Record<string, string>>
      title={title}
      size="small"
      note={
        kind === 'void'
          ? t('rounds.task.voidText')
          : kind === 'exempt'
            ? t('rounds.task.exemptText')
            : undefined
      }
      initial={kind === 'review' ? { [name]: missed ? order.missReason : order.checkRemark } : {}}
      submit={(values): Promise<unknown> => {
        const body = { id: order.id, ...values };
        if (kind === 'void') return api.post(`${CALL}/void`, body as { id: string; reason: string });
        if (kind === 'exempt') return api.post(`${CALL}/exempt`, body as { id: string; reason: string });
        return api.post(`${CALL}/review`, body);
      }}
      submitText={title}
      danger={kind === 'void'}
      invalidates={[[inspectorder.name]]}
      onClose={onClose}
    >
      <TextAreaField
        name={name}
        label={name === 'reason' ? t('rounds.task.reason') : label(name)}
        required
        max={200}
      />
    </FormDrawer>
  );
}

interface WalkProps {
  task: Task;
  /** The point that is shown first. */
  begins: string | undefined;
  mayInspect: boolean;
  unsent: ReturnType<typeof useUnsent>;
}

/** What the submission of a point is about, among what waits to be sent. */
const aboutPoint = (id: string) => `point.${id}`;

/** The points at the left, or above on a phone; the chosen one at the right. */
function Walk({ task, begins, mayInspect, unsent }: WalkProps) {
  const { t } = useTranslation();
  const { details } = task;
  const waiting = new Map(unsent.items.map((item) => [item.about, item]));
  const itemOf = (id: string) => waiting.get(aboutPoint(id));
  // The task may have been fetched before its points were sent.
  const isSent = (id: string) => unsent.outcomes.has(aboutPoint(id));
  const isFree = ({ id }: Point) => itemOf(id)?.state !== 'waiting' && !isSent(id);
  const isTodo = (point: Point) => point.status === TODO && isFree(point);
  const firstOpen = details.find(isTodo) ?? details[0];
  const [chosen, setChosen] = useState(begins ?? firstOpen?.id);
  const [last, setLast] = useState<Outcome>();
  /** A point that is exempt, and that somebody checks all the same. */
  const [anyway, setAnyway] = useState<string>();
  const top = useRef<HTMLDivElement>(null);
  const point = details.find(({ id }) => id === chosen) ?? firstOpen;
  const index = point ? details.indexOf(point) : 0;
  if (!point) return null;
  const go = (id: string) => {
    setChosen(id);
    top.current?.scrollIntoView({ block: 'start' });
  };
  const before = details.slice(0, index).find(isTodo);
  const isInOrder = task.orderMode === IN_ORDER;
  const blocked = isInOrder ? before : undefined;
  const others = details.filter((other) => other.id !== point.id && isTodo(other));
  const next = others.find(({ sort }) => sort > point.sort) ?? others[0];
  const isExempt = point.status === EXEMPT_POINT && isFree(point) && mayInspect;
  const isWanted = anyway === point.id || itemOf(point.id) !== undefined;
  const isFormShown = (isTodo(point) && mayInspect) || (isExempt && isWanted);
  return (
    <div className="x-walk" ref={top}>
      <ol className="x-walk-points x-panel" aria-label={t('rounds.task.points')}>
        {details.map((detail) => (
          <li key={detail.id}>
            <button
              type="button"
              aria-current={detail.id === point.id ? 'step' : undefined}
              onClick={() => go(detail.id)}
            >
              <span>
                {detail.sort}. {detail.pointName}
              </span>
              <PointState point={detail} item={itemOf(detail.id)} isSent={isSent(detail.id)} />
            </button>
          </li>
        ))}
      </ol>
      <div>
        {last && <After outcome={last} isLast={others.length === 0} onClose={() => setLast(undefined)} />}
        <section className="x-panel x-walk-point" aria-label={point.pointName}>
          <div className="x-walk-head">
            <h2>{point.pointName}</h2>
            <span className="x-quiet">{t('rounds.task.point', { n: index + 1, total: details.length })}</span>
          </div>
          <p className="x-quiet">
            {[point.machineCode, point.machineName, point.location, point.runStateName]
              .filter(Boolean)
              .join(' · ')}
          </p>
          {isFormShown && blocked ? (
            <Alert type="info" showIcon title={t('rounds.task.first', { name: blocked.pointName })} />
          ) : null}
          {isFormShown && !blocked ? (
            <PointForm
              key={point.id}
              point={point}
              task={task}
              item={itemOf(point.id)}
              more={others.length > 0}
              onDone={(outcome) => {
                setLast(outcome);
                const to = outcome === 'waiting' ? next?.id : outcome.nextDetailId;
                if (to) go(to);
                else top.current?.scrollIntoView({ block: 'start' });
              }}
            />
          ) : (
            <PointShown point={point} item={itemOf(point.id)} isSent={isSent(point.id)} />
          )}
          {isExempt && !isFormShown && (
            <div className="x-walk-foot">
              <p className="x-quiet">{t('rounds.task.exemptPoint')}</p>
              <Button onClick={() => setAnyway(point.id)}>{t('rounds.task.checkAnyway')}</Button>
            </div>
          )}
        </section>
      </div>
    </div>
  );
}

interface PointStateProps {
  point: Point;
  item: Unsent | undefined;
  isSent: boolean;
}

/** The state of a point; as long as the server has not said it, that of its submission. */
function PointState({ point, item, isSent }: PointStateProps) {
  const { t } = useTranslation();
  const { status, statusName, result, resultName } = point;
  const isUnchecked = status === TODO || status === EXEMPT_POINT;
  if (isUnchecked && item?.state === 'refused') return <ToneTag tone="bad">{t('unsent.refused')}</ToneTag>;
  if (isUnchecked && item) return <ToneTag tone="waiting">{t('unsent.waiting')}</ToneTag>;
  if (isUnchecked && isSent) return <ToneTag tone="good">{t('unsent.sent')}</ToneTag>;
  if (result !== null) return <StateTag dict="inspect_result" value={result} text={resultName} />;
  return <StateTag dict="inspect_detail_status" value={status} text={statusName} />;
}

interface AfterProps {
  outcome: Outcome;
  isLast: boolean;
  onClose: () => void;
}

/** What came of the last point: that it waits, a work order that was made, one that is suggested, the end of the task. */
function After({ outcome, isLast, onClose }: AfterProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  if (outcome === 'waiting')
    return (
      <Alert
        type="info"
        showIcon
        title={t('unsent.stored')}
        description={isLast ? t('unsent.storedLast') : undefined}
        action={isLast && <Button onClick={() => navigate(PAGE)}>{t('rounds.task.backToList')}</Button>}
      />
    );
  const answer = outcome;
  const { repair } = answer;
  return (
    <>
      {answer.repairOrderId && (
        <Alert
          type="warning"
          showIcon
          closable={{ onClose }}
          title={
            <Link to={`${REPAIRS}/${answer.repairOrderId}`}>
              {t('rounds.task.madeRepair', { no: answer.repairOrderNo })}
            </Link>
          }
        />
      )}
      {repair && (
        <Alert
          type="warning"
          showIcon
          title={t('rounds.task.suggest')}
          description={repair.description}
          action={
            <div className="x-walk-more">
              <Button
                type="primary"
                onClick={() =>
                  navigate(
                    `${REPORT}?${new URLSearchParams({ machineId: repair.machineId, description: repair.description })}`,
                  )
                }
              >
                {t('rounds.task.suggestDo')}
              </Button>
              <Button onClick={onClose}>{t('rounds.task.suggestLater')}</Button>
            </div>
          }
        />
      )}
      {answer.nextDetailId === null && (
        <Alert
          type="success"
          showIcon
          title={answer.orderStatusName}
          description={t('rounds.task.finishedText')}
          action={<Button onClick={() => navigate(PAGE)}>{t('rounds.task.backToList')}</Button>}
        />
      )}
    </>
  );
}

interface PointFormProps {
  point: Point;
  task: Task;
  /** What the server has refused of it. */
  item: Unsent | undefined;
  more: boolean;
  onDone: (outcome: Outcome) => void;
}

/** What was typed for a point, as it is kept on this device. */
interface Typed {
  entries: Entries;
  images: string[];
  remark: string;
  /** When the person came to the point. */
  arrived: string;
  /** How it was opened, where its plate is asked for. */
  opened?: Opened;
  /** One for each submission, the same for each try of it: sent twice it changes nothing. */
  clientId: string;
}

function begunWith(name: string, item: Unsent | undefined): Typed {
  const kept = (draftOf(name) ?? item?.form?.draft)?.values as Partial<Typed> | undefined;
  return {
    entries: kept?.entries ?? {},
    images: kept?.images ?? [],
    remark: kept?.remark ?? '',
    arrived: kept?.arrived ?? dayjs().format(WIRE),
    opened: kept?.opened,
    clientId: item?.id ?? kept?.clientId ?? randomKey(),
  };
}

function PointForm({ point, task, item, more, onDone }: PointFormProps) {
  const { t } = useTranslation();
  const asked = useRequired(INSPECTION);
  const draft = `inspectpoint.${point.id}`;
  const [begun] = useState(() => begunWith(draft, item));
  const [entries, setEntries] = useState(begun.entries);
  const [images, setImages] = useState(begun.images);
  const [remark, setRemark] = useState(begun.remark);
  const [strict, setStrict] = useState(false);
  const [skip, setSkip] = useState(false);
  const [opened, setOpened] = useState(begun.opened);
  /** Whether the plate was scanned anew since the server refused it. */
  const [isReopened, setIsReopened] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const isAsBegun =
      entries === begun.entries &&
      images === begun.images &&
      remark === begun.remark &&
      opened === begun.opened;
    if (!isAsBegun)
      keepDraft(draft, { at: Date.now(), values: { ...begun, entries, images, remark, opened } });
  }, [draft, begun, entries, images, remark, opened]);
  const send = async (more: object): Promise<Outcome> => {
    const sent: Sent = await submit({
      id: begun.clientId,
      kind: 'point',
      about: aboutPoint(point.id),
      task: task.order.id,
      chain: task.orderMode === IN_ORDER ? task.order.id : undefined,
      title: point.pointName,
      group: task.order.groupName,
      at: Date.now(),
      page: `${PAGE}/${task.order.id}?point=${point.id}`,
      body: {
        id: point.id,
        clientId: begun.clientId,
        clientTime: dayjs().format(WIRE),
        // Whoever scanned the plate was there then, whenever the page was opened.
        startTime: opened?.scanTime ?? begun.arrived,
        ...opened,
        ...more,
      },
      form: { name: draft, draft: { at: Date.now(), values: { ...begun, entries, images, remark, opened } } },
    });
    if (sent.state === 'refused') throw sent.error;
    dropDraft(draft);
    return sent.state === 'accepted' ? (sent.answer as Answer) : 'waiting';
  };
  const action = useAction({
    run: () => send({ images, remark, records: toRecords(point.items, entries) }),
    invalidates: [[inspectorder.name]],
    onDone,
  });
  const refusal = action.error ?? (item?.refusal && !action.busy ? refusalOf(item.refusal) : undefined);
  const refused = refusal instanceof ApiError ? refusal.fields : {};
  const errors = Object.fromEntries(
    point.items.flatMap((item) => {
      const found = errorOf(item, entries[item.itemId] ?? EMPTY, t, asked);
      return found ? [[item.itemId, found]] : [];
    }),
  );
  const noPhoto =
    point.photoRequired === 1 && images.length === 0
      ? t('rounds.task.photo', { name: point.pointName })
      : lacking(asked, 'images', images, t);
  const noRemark = lacking(asked, 'remark', remark.trim(), t);
  // What is shown at its place; a refusal of anything else is told as a whole.
  const places = new Set(['images', 'remark', ...point.items.map(({ itemId }) => `records.${itemId}`)]);
  const told = Object.keys(refused).length > 0 && Object.keys(refused).every((name) => places.has(name));
  useEffect(() => {
    if (told) list.current?.querySelector('.x-walk-wrong')?.scrollIntoView({ block: 'center' });
  }, [told]);
  // A task that was fetched by an older console does not say whether a point is opened by its plate: the server does.
  const scanRefused =
    refusal instanceof ApiError && SCAN_REFUSALS.has(refusal.error ?? '') ? refusal.msg : undefined;
  const said = scanRefused && isReopened ? undefined : refusal;
  const isShut = (point.needsScan === 1 || scanRefused !== undefined) && opened === undefined;
  const finish = () => {
    if (Object.keys(errors).length > 0 || noPhoto || noRemark) {
      setStrict(true);
      const at = point.items.findIndex(({ itemId }) => errors[itemId]);
      const wrong = at < 0 ? list.current?.nextElementSibling : list.current?.children[at];
      wrong?.scrollIntoView({ block: 'center' });
      return;
    }
    setIsReopened(false);
    action.run();
  };
  const skipping = skip && (
    <FormDrawer<{ reason: string }, Outcome>
      title={t('rounds.task.skipTitle', { name: point.pointName })}
      size="small"
      note={t('rounds.task.skipNote')}
      submit={(values) => send({ skip: values })}
      submitText={t('rounds.task.skip')}
      invalidates={[[inspectorder.name]]}
      onDone={onDone}
      onClose={() => setSkip(false)}
    >
      <TextAreaField
        name="reason"
        label={t('rounds.task.skipReason')}
        required
        min={4}
        max={200}
        message={t('rounds.task.skipShort')}
      />
    </FormDrawer>
  );
  if (isShut) {
    return (
      <>
        <PlateGate
          point={point}
          refusal={scanRefused}
          onOpen={(how) => {
            setOpened(how);
            setIsReopened(true);
          }}
          onSkip={() => setSkip(true)}
        />
        {skipping}
      </>
    );
  }
  return (
    <>
      {opened && (
        <p className="x-quiet">
          {'noScan' in opened
            ? t('rounds.scan.byHand', { reason: opened.noScan.reason })
            : t('rounds.scan.done', { time: opened.scanTime.slice(11, 16) })}
        </p>
      )}
      <ol className="x-walk-items" ref={list}>
        {point.items.map((item) => (
          <ItemEntry
            key={item.itemId}
            item={item}
            point={point}
            entry={entries[item.itemId] ?? EMPTY}
            error={refused[`records.${item.itemId}`] ?? (strict ? errors[item.itemId] : undefined)}
            onChange={(part) =>
              setEntries((all) => ({ ...all, [item.itemId]: { ...(all[item.itemId] ?? EMPTY), ...part } }))
            }
          />
        ))}
      </ol>
      <div className="x-walk-foot">
        <div>
          <div>{t('rounds.task.photos')}</div>
          <PhotosInput max={9} value={images} onChange={setImages} />
          <Wrong text={refused.images ?? (strict ? noPhoto : undefined)} />
        </div>
        <Input.TextArea
          value={remark}
          maxLength={255}
          autoSize={{ minRows: 1, maxRows: 4 }}
          aria-label={t('rounds.task.remark')}
          placeholder={t('rounds.task.remark')}
          onChange={(event) => setRemark(event.target.value)}
        />
        <Wrong text={refused.remark ?? (strict ? noRemark : undefined)} />
        {Boolean(said) && !told && <ErrorLine error={said} />}
        {scanRefused && !isReopened && (
          <Button onClick={() => setOpened(undefined)}>{t('rounds.scan.again')}</Button>
        )}
        <div className="x-walk-bar">
          <Button onClick={() => setSkip(true)}>{t('rounds.task.skip')}</Button>
          <Button type="primary" loading={action.busy} onClick={finish}>
            {t(more ? 'rounds.task.submitNext' : 'rounds.task.submit')}
          </Button>
        </div>
      </div>
      {skipping}
    </>
  );
}

function Wrong({ text }: { text: string | undefined }) {
  if (!text) return null;
  return (
    <div className="x-walk-error" role="alert">
      {text}
    </div>
  );
}

interface ItemEntryProps {
  item: Item;
  point: Point;
  entry: Entry;
  error: string | undefined;
  onChange: (part: Partial<Entry>) => void;
}

const RESULT_WORD = {
  1: 'rounds.task.normal',
  2: 'rounds.task.warning',
  3: 'rounds.task.abnormalWord',
  4: 'rounds.task.na',
} as const;

function ItemEntry({ item, point, entry, error, onChange }: ItemEntryProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const result = resultOf(item, entry);
  const none = entry.result === NOT_APPLICABLE;
  const number = item.valueType === NUMBER || item.valueType === METER;
  const choices: { value: string; label: string; result: number }[] =
    item.valueType === PASS_FAIL
      ? [
          { value: OK, label: item.okLabel || t('rounds.task.normal'), result: 1 },
          { value: BAD, label: item.badLabel || t('rounds.task.abnormalWord'), result: 3 },
        ]
      : item.valueType === CHOICE
        ? item.options.map((option) => ({
            value: option.value ?? '',
            label: (language === 'en-US' && option.labelEn) || option.label,
            result: option.result ?? 1,
          }))
        : [];
  const own = item.valueType > CHOICE && item.valueType !== METER;
  const showPhotos =
    item.valueType === PHOTO || item.needPhoto !== 0 || result === 3 || entry.images.length > 0;
  return (
    <li className={error ? 'x-walk-wrong' : undefined}>
      <div className="x-walk-name">
        {item.itemName}
        {item.part && <span className="x-quiet">{item.part}</span>}
        <ItemMarks item={item} />
        <ForecastMark {...item} />
        {item.repairedNo && (
          <ToneTag tone="good">{t('rounds.task.repaired', { no: item.repairedNo })}</ToneTag>
        )}
      </div>
      {(item.standardText || item.tips) && (
        <div className="x-quiet">{[item.standardText, item.tips].filter(Boolean).join(' · ')}</div>
      )}
      {item.tipImages.length > 0 && <Photos links={item.tipImages} />}
      {!none && (
        <div className="x-walk-entry">
          {number && (
            <Input
              className="x-walk-number"
              value={entry.value}
              inputMode="decimal"
              autoComplete="off"
              aria-label={item.itemName}
              suffix={item.unit || <span />}
              status={error ? 'error' : undefined}
              onChange={(event) => onChange({ value: event.target.value })}
            />
          )}
          {choices.length > 0 && (
            // biome-ignore lint/a11y/useSemanticElements: buttons that are pressed, large enough for gloves
            <div className="x-walk-choice" role="group" aria-label={item.itemName}>
              {choices.map((choice) => (
                <button
                  key={choice.value}
                  type="button"
                  className={`x-tone-${toneOf(choice.result)}`}
                  aria-pressed={entry.value === choice.value}
                  onClick={() => onChange({ value: entry.value === choice.value ? '' : choice.value })}
                >
                  {choice.label}
                </button>
              ))}
            </div>
          )}
          {item.valueType === 4 && (
            <Input.TextArea
              value={entry.value}
              maxLength={500}
              autoSize={{ minRows: 1, maxRows: 4 }}
              aria-label={item.itemName}
              onChange={(event) => onChange({ value: event.target.value })}
            />
          )}
          {result !== undefined &&
            item.valueType <= METER &&
            choices.length === 0 &&
            item.valueType !== METER && (
              <span role="status">
                <ToneTag tone={toneOf(result)}>
                  {t('rounds.task.judged', { word: t(RESULT_WORD[result as 1]) })}
                </ToneTag>
              </span>
            )}
          {own && result !== undefined && (
            <Button size="small" onClick={() => onChange({ result: result === 3 ? 1 : 3 })}>
              {t(result === 3 ? 'rounds.task.normal' : 'rounds.task.abnormalWord')}
            </Button>
          )}
        </div>
      )}
      {item.valueType === NUMBER && !none && <LimitScale of={item} small />}
      <Last item={item} point={point} />
      {(showPhotos || none || result === 2 || result === 3) && (
        <div className="x-walk-foot">
          {showPhotos && !none && (
            <PhotosInput max={6} value={entry.images} onChange={(images) => onChange({ images })} />
          )}
          <Input
            value={entry.remark}
            maxLength={255}
            aria-label={`${item.itemName} ${t(none ? 'rounds.task.naRemark' : 'rounds.task.remark')}`}
            placeholder={t(none ? 'rounds.task.naRemark' : 'rounds.task.remark')}
            onChange={(event) => onChange({ remark: event.target.value })}
          />
        </div>
      )}
      <Wrong text={error} />
      <div className="x-walk-more">
        <Button
          type="text"
          onClick={() =>
            onChange(
              none
                ? { result: null, remark: '' }
                : { result: NOT_APPLICABLE, remark: unfit(item, point) ? point.runStateName : entry.remark },
            )
          }
        >
          {t(none ? 'rounds.task.naUndo' : 'rounds.task.na')}
        </Button>
        {!none && unfit(item, point) && <span className="x-quiet">{t('rounds.task.naStopped')}</span>}
      </div>
    </li>
  );
}

/** The last values, newest first, and the way to the trend of a number. */
function Last({ item, point }: { item: Item; point: Point }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  if (item.last.length === 0) return null;
  return (
    <div className="x-walk-last">
      <span className="x-quiet">{t('rounds.task.last')}</span>
      {item.last.map((one) => (
        <span key={one.time} title={one.time.slice(0, 16)}>
          <ToneTag tone={toneOf(one.result)} grade>
            {one.value || one.resultName}
          </ToneTag>
        </span>
      ))}
      {(item.valueType === NUMBER || item.valueType === METER) && (
        <Button size="small" type="link" icon={<LineChartOutlined />} onClick={() => setOpen(true)}>
          {t('rounds.task.trend')}
        </Button>
      )}
      {open && (
        <TrendDrawer
          itemId={item.itemId}
          itemName={item.itemName}
          pointId={point.pointId}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  );
}

/** A point to read: what was found, by whom, and what followed. */
function PointShown({ point, item, isSent }: PointStateProps) {
  const { t } = useTranslation();
  return (
    <>
      <p className="x-marks">
        <PointState point={{ ...point, result: null }} item={item} isSent={isSent} />
        {item && <span className="x-quiet">{dayjs(item.at).format(MINUTE)}</span>}
        {point.submitTime && (
          <span className="x-quiet">
            {point.userName} · {point.submitTime.slice(0, 16)}
          </span>
        )}
        {point.repairOrderId && (
          <Link to={`${REPAIRS}/${point.repairOrderId}`}>
            {point.repairOrderNo} {point.repairStatusName}
          </Link>
        )}
      </p>
      {point.skipReason && <p>{point.skipReason}</p>}
      {point.scanOk === 1 && <p className="x-quiet">{t('rounds.scan.ok')}</p>}
      {point.noScanReason && (
        <p className="x-marks">
          <ToneTag tone="waiting">{t('rounds.scan.byHand', { reason: point.noScanReason })}</ToneTag>
        </p>
      )}
      <ol className="x-walk-items">
        {point.items.map((item) => (
          <li key={item.itemId}>
            <div className="x-walk-name">
              {item.itemName}
              {item.record ? (
                <>
                  <StateTag dict="inspect_result" value={item.record.result} text={item.record.resultName} />
                  {item.record.falseAlarm === 1 && (
                    <ToneTag tone="off">{t('rounds.task.falseAlarm')}</ToneTag>
                  )}
                </>
              ) : null}
            </div>
            {item.record ? (
              <>
                <div>{item.record.judgeText || item.record.valueText}</div>
                {item.record.remark && <div className="x-quiet">{item.record.remark}</div>}
                {item.record.images.length > 0 && <Photos links={item.record.images} />}
              </>
            ) : (
              <ItemNorm item={item} />
            )}
            <Last item={item} point={point} />
          </li>
        ))}
      </ol>
      {point.images.length > 0 && (
        <Section title={t('rounds.task.photos')}>
          <Photos links={point.images} />
        </Section>
      )}
      {point.remark && <p>{point.remark}</p>}
    </>
  );
}
