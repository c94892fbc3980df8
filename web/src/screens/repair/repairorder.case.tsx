/** What the pages of a repair order add to its declaration: machines, people, due times, work lines, before and after. */
import { Alert, Button, Form } from 'antd';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Wire } from '@/api/wire';
import { t } from '@/i18n';
import { ChoicesField } from '@/kit/choices';
import { DateTimeField, ScoreField, SwitchField } from '@/kit/fields';
import { Minutes } from '@/kit/Minutes';
import { Photos } from '@/kit/Photos';
import { FINISH, REPORT as REPORT_FORM, VERIFY } from '@/kit/required';
import { StateTag, ToneTag } from '@/kit/StateTag';
import { fromWire, moment, toWire } from '@/lib/dates';
import { yuan } from '@/lib/money';
import { MachineLink } from '@/screens/shared/MachineLink';
import { isStanding, Marks } from '@/screens/shared/orderMarks';
import { LIST } from '@/screens/shared/orders';
import { stops } from '@/screens/shared/StopSpan';
import { OrderRequests, RequestForm } from '@/screens/shared/spareRequest';
import type { CaseScreen, ControlProps, Given, Open } from '@/workflow/cases/screen';
import { Lead } from './lead';
import { DeleteLine, LineForm, LineRows } from './lines';
import { useOrderList } from './list';
import { HelpersField, PersonField, ProposedPerson } from './people';
import { ORDER_TOUCHED, TOUCHES } from './queries';
import { Duplicates } from './report';

type Order = Wire<'RepairOrderDetail'>;

const [SYMPTOM, CAUSE, ACTION] = [4, 5, 6];
const [FAIL, TO_PERSON, TO_TEAM, CRITICAL] = [2, 1, 2, 1];
const thisMinute = () => toWire(dayjs().startOf('minute'));

/** This minute; to the second where the stop began in the same minute, for it must end later. */
function runningAgain(stopStart: string | null): string | undefined {
  const minute = dayjs().startOf('minute');
  return toWire(fromWire(stopStart)?.isBefore(minute) ? minute : dayjs());
}

/** The failure codes of one kind that are offered for the asset. */
function tags(type: number, given: Given, values: Given) {
  const machineId = values.machineId ?? given.machineId;
  const params = machineId ? { type, machineId: String(machineId) } : { type };
  return { ref: '/yuzhu-equip/equiptags/select', params };
}

function due(time: string, late: number): ReactNode {
  return (
    <>
      <span className="x-nowrap">{moment(time)}</span>{' '}
      {late === 1 && <ToneTag tone="bad">{t('repair.overdue')}</ToneTag>}
    </>
  );
}

/** The promise, or the limit of the priority; while somebody still works. */
function finishDue(order: Order, promised: boolean): ReactNode {
  const waits = order.openTask !== null && order.openTask.node !== 'check' && order.finishDue !== null;
  return waits && promised === (order.planFinishTime !== null)
    ? due(order.finishDue ?? '', order.isFinishLate)
    : null;
}

function lines(order: Order, open: Open): ReactNode {
  const may = order.allowedActions.includes('line');
  if (order.lines.length === 0 && !order.acceptTime) return null;
  if (order.lines.length > 0) return <LineRows order={order} open={may ? open : undefined} />;
  return <p className="x-quiet">{t(may ? 'repair.lines.noneFirst' : 'repair.lines.none')}</p>;
}

/** What was requested for the order; nothing before somebody repairs. */
function spares(order: Order): ReactNode {
  if (order.spares.length > 0) return <OrderRequests requests={order.spares} touches={ORDER_TOUCHED} />;
  return order.acceptTime ? <p className="x-quiet">{t('spares.noRequests')}</p> : null;
}

/** Nobody finishes without having written down the work, which can be done from here. */
function linesFirst(order: Order, open: Open): ReactNode {
  const add = () => open('line');
  return (
    <div className="x-block x-full">
      {order.lines.length === 0 ? (
        <Alert
          type="warning"
          showIcon
          title={t('repair.lines.none')}
          description={t('repair.lines.noneHint')}
          action={<Button onClick={add}>{t('repair.lines.add')}</Button>}
        />
      ) : (
        <>
          <LineRows order={order} />
          <Button type="link" className="x-flush" onClick={add}>
            {t('repair.lines.add')}
          </Button>
        </>
      )}
    </div>
  );
}

function verdict(order: Order): ReactNode {
  if (order.checkResult === null) return null;
  return (
    <span className="x-marks">
      <StateTag dict="check_result" value={order.checkResult} text={order.checkResultName} />
      {order.checkScore !== null && t('repair.score', { n: order.checkScore })}
      <span className="x-quiet">
        {t('repair.checkBy', {
          who: order.checkUserName || t('work.story.system'),
          time: moment(order.checkTime),
        })}
      </span>
    </span>
  );
}

function beforeAfter({ images, afterImages }: Order): ReactNode {
  if (afterImages.length === 0) return null;
  return (
    <div className="x-before-after">
      {(
        [
          ['before', images],
          ['after', afterImages],
        ] as const
      ).map(([when, links]) => (
        <figure key={when}>
          <figcaption>{t(`repair.${when}`)}</figcaption>
          <Photos links={links} />
        </figure>
      ))}
    </div>
  );
}

/** To one person, or to whoever of a team is first. */
function Recipient(props: ControlProps) {
  return (
    <>
      <ChoicesField
        name="to"
        label={t('repair.to')}
        choices={[
          { value: TO_PERSON, label: t('repair.person'), hint: t('repair.personHint'), tone: 'active' },
          { value: TO_TEAM, label: t('repair.wholeTeam'), hint: t('repair.wholeTeamHint'), tone: 'active' },
        ]}
        required
      />
      {Form.useWatch<number>('to') !== TO_TEAM && <ProposedPerson {...props} />}
    </>
  );
}

interface DialogProps {
  row: Order;
  about: unknown;
  onClose: () => void;
}

/** Parts for the order: chosen or scanned, with what is available. */
function ApplySpare({ row, onClose }: DialogProps) {
  return <RequestForm order={row} touches={ORDER_TOUCHED} onClose={onClose} />;
}

/** A refused repair may have stopped the machine anew. */
function StoppedAgain({ given: _, source: __, ...props }: ControlProps) {
  return (
    <>
      <SwitchField name="stoppedAgain" label={t('repair.stoppedAgain')} />
      {Form.useWatch<number>('stoppedAgain') === 1 && <DateTimeField {...props} until={dayjs()} required />}
    </>
  );
}

export default {
  title: (order) => order.title,
  tags: (order) => (
    <>
      {order.urgency < 3 && (
        <StateTag dict="repair_urgency" value={order.urgency} text={order.urgencyName} grade />
      )}
      <Marks order={order} />
    </>
  ),
  lead: (order) => <Lead order={order} />,
  touches: TOUCHES,
  scenes: { save: REPORT_FORM, finish: FINISH, check: VERIFY },
  useList: useOrderList,
  values: {
    machineName: (order) => <MachineLink order={order} />,
    reporterName: ({ reporterName }) => reporterName && t('repair.anonymous', { name: reporterName }),
    reporterPhone: ({ reporterPhone }) =>
      reporterPhone ? <a href={`tel:${reporterPhone}`}>{reporterPhone}</a> : undefined,
    reportPhone: ({ openTask, reportPhone }) =>
      openTask && reportPhone ? <a href={`tel:${reportPhone}`}>{reportPhone}</a> : undefined,
    helperNames: ({ helperNames }) =>
      helperNames.length > 0 ? t('repair.helpers', { names: helperNames.join(' · ') }) : undefined,
    responseMinutes: (order) => order.responseMinutes !== null && <Minutes value={order.responseMinutes} />,
    responseDue: (order) =>
      order.openTask && !order.acceptTime ? due(order.responseDue, order.isResponseLate) : null,
    planFinishTime: (order) => finishDue(order, true),
    finishDue: (order) => finishDue(order, false),
    stopMinutes: (order) => (order.isStop === 1 ? stops(order) : null),
    hangMinutes: ({ hangMinutes }) => (hangMinutes ? <Minutes value={hangMinutes} /> : null),
    hangReasonName: ({ hangStart, hangReasonName }) => (hangStart ? hangReasonName : null),
    repeatOfNo: ({ repeatOfId, repeatOfNo, repeatCount }) =>
      repeatOfId && (
        <>
          {t('repair.repeatTimes', { n: repeatCount })}
          <div>
            <Link to={`${LIST}/${repeatOfId}`}>{repeatOfNo}</Link>
          </div>
        </>
      ),
    spares,
    totalCost: ({ labourCost, totalCost }) => (totalCost === labourCost ? null : yuan(totalCost)),
    lines,
    checkResultName: verdict,
    afterImages: beforeAfter,
  },
  begins: {
    save: ({ machineId, description }) => ({
      machineId,
      description,
      urgency: 3,
      isStop: 0,
      stopStart: thisMinute(),
      images: [],
      files: [],
    }),
    dispatch: ({ teamId, repairUserId }) => ({ to: teamId && !repairUserId ? TO_TEAM : TO_PERSON }),
    finish: (order) => ({
      stopEnd: isStanding(order) ? runningAgain(order.stopStart) : undefined,
      outsourceCost: order.outsourceCost || undefined,
      otherCost: order.otherCost || undefined,
    }),
    check: () => ({ stoppedAgain: 0, stopStart: thisMinute() }),
  },
  above: { finish: linesFirst },
  dialogs: { line: LineForm, removeLine: DeleteLine, applySpare: ApplySpare },
  start: {
    title: () => t('app.pages.report'),
    submitText: () => t('repair.report.submit'),
    next: () => t('repair.report.next'),
    page: (id) => `${LIST}/${id}`,
    question: () => t('repair.report.duplicate'),
    Confirm: Duplicates,
    unsent: {
      title: ({ description }) => String(description).slice(0, 40),
      stored: () => t('repair.report.stored'),
    },
  },
  fields: {
    description: () => ({
      placeholder: t('repair.report.descriptionHint'),
      message: t('repair.report.descriptionShort'),
    }),
    'save.title': { hidden: true },
    'save.repairType': { hidden: true },
    'save.force': { hidden: true },
    faultTagIds: (given, values) => ({
      source: tags(SYMPTOM, given, values),
      words: true,
      unlessEmpty: true,
    }),
    causeTagId: (given, values) => ({ source: tags(CAUSE, given, values) }),
    'save.urgency': () => ({
      required: true,
      hints: {
        1: { hint: t('repair.report.critical'), tone: 'bad' },
        2: { hint: t('repair.report.urgent'), tone: 'waiting' },
        3: { hint: t('repair.report.normal') },
      },
    }),
    'edit.urgency': ({ acceptTime, urgency }) => ({
      only: acceptTime ? [1, 2, 3].filter((value) => value <= Number(urgency)) : [1, 2, 3],
    }),
    isStop: { full: true },
    'save.stopStart': (_, { isStop }) => ({
      hidden: isStop !== 1,
      required: true,
      full: true,
      until: dayjs(),
    }),
    'dispatch.repairUserId': { control: Recipient },
    'dispatch.teamId': (_, { to }) => ({ hidden: to !== TO_TEAM, required: true }),
    helperIds: (_, { to }) => ({ control: HelpersField, hidden: to === TO_TEAM }),
    'transfer.repairUserId': { control: PersonField },
    partMachineId: ({ machineId }) => ({
      source: {
        ref: '/yuzhu-equip/inspectmachine/select',
        params: { parentId: String(machineId), nodeType: 5 },
      },
      unlessEmpty: true,
    }),
    actionTagIds: (given, values) => ({ source: tags(ACTION, given, values), words: true }),
    solution: () => ({ message: t('repair.solutionMissing') }),
    stopEnd: (order) => ({ hidden: !isStanding(order as Order), required: true, until: dayjs() }),
    afterImages: ({ isStop, urgency }) => ({
      required: isStop === 1 || urgency === CRITICAL,
      message: t('repair.afterRequired'),
    }),
    vendorName: (_, { isOutsource }) => ({ hidden: isOutsource !== 1, required: true }),
    outsourceCost: (_, { isOutsource }) => ({ hidden: isOutsource !== 1 }),
    checkResult: () => ({
      hints: {
        1: { hint: t('repair.passHint'), tone: 'good' },
        2: { hint: t('repair.failHint'), tone: 'bad' },
      },
    }),
    checkScore: { control: ScoreField },
    checkRemark: (_, { checkResult }) =>
      checkResult === FAIL
        ? { label: t('repair.failReason'), message: t('repair.failMissing'), required: true }
        : {},
    'check.stopStart': (_, { checkResult }) => ({ control: StoppedAgain, hidden: checkResult !== FAIL }),
  },
} satisfies CaseScreen<Order>;
