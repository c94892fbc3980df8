/** What the pages of a maintenance order add to its declaration: the form of the work, its items, safety, delays. */
import { Alert, Checkbox, Form } from 'antd';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { t } from '@/i18n';
import { Minutes } from '@/kit/Minutes';
import { Photos } from '@/kit/Photos';
import { StateTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { grouped, yuan } from '@/lib/money';
import { MachineLink } from '@/screens/shared/MachineLink';
import { stops } from '@/screens/shared/StopSpan';
import { OrderRequests, RequestForm } from '@/screens/shared/spareRequest';
import { useCanOpen } from '@/session/rights';
import type { CaseScreen, ControlProps } from '@/workflow/cases/screen';
import { ItemRows } from './items';
import { useOrderList } from './list';
import { Marks } from './marks';
import { CALL, LIST, TOUCHED_BY_ORDER, TOUCHES } from './queries';
import { StandardField } from './StandardField';
import { WorkForm } from './WorkForm';
import type { Order } from './work';

const FAIL = 2;
const STANDARDS = '/maintain/config';

/** What the counter shows, with what it counts; nothing where it does not matter. */
const reading = (value: number | null, unit: string) => (value === null ? null : `${grouped(value)} ${unit}`);

/** The standard, as a way to it for whoever may open that. */
function StandardLink({ order }: { order: Order }) {
  if (!useCanOpen(STANDARDS)) return order.configName;
  return <Link to={`${STANDARDS}?show=${order.configId}`}>{order.configName}</Link>;
}

function lines({ lines: each }: Order): ReactNode {
  if (each.length === 0) return null;
  return (
    <ul className="x-plain">
      {each.map((line) => (
        <li key={line.id} className="x-line">
          <div>
            <strong>{line.userName}</strong>
            <div className="x-quiet">
              {moment(line.startTime)} – {moment(line.endTime)}
            </div>
            {line.content && <div className="x-line-text">{line.content}</div>}
          </div>
          <span className="x-line-end">
            <Minutes value={line.minutes} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** A long text of the preparation, with what it is. */
function Said({ label, text }: { label: string; text: string }) {
  return (
    <p className="x-text">
      <span className="x-quiet">{label}</span>
      <br />
      {text}
    </p>
  );
}

function verdict(order: Order): ReactNode {
  if (order.checkResult === null) return null;
  return (
    <span className="x-marks">
      <StateTag dict="check_result" value={order.checkResult} text={order.checkResultName} />
      <span className="x-quiet">
        {t('maintain.checkBy', { who: order.checkUserName, time: moment(order.checkTime) })}
      </span>
    </span>
  );
}

/** What has to be ticked before anybody begins. */
function Safety({ given }: ControlProps) {
  const { safety } = given as unknown as Order;
  return (
    <>
      <Alert
        className="x-block x-full"
        type="warning"
        showIcon
        title={t('maintain.safety')}
        description={safety}
      />
      <Form.Item
        name="safetyConfirmed"
        className="x-full"
        valuePropName="checked"
        getValueFromEvent={(event: { target: { checked: boolean } }) => (event.target.checked ? 1 : 0)}
        rules={[
          {
            validator: (_, value) =>
              value === 1 ? Promise.resolve() : Promise.reject(new Error(t('maintain.safetyMissing'))),
          },
        ]}
      >
        <Checkbox>{t('maintain.safetyConfirm')}</Checkbox>
      </Form.Item>
    </>
  );
}

/** Shown whole, and called what it is. */
function signature({ signImage }: Order): ReactNode {
  if (!signImage?.length) return null;
  return (
    <div className="x-signature">
      <span className="x-quiet">{t('maintain.signature')}</span>
      <Photos links={signImage} />
    </div>
  );
}

/** What was requested for the order; nothing before somebody begins. */
function spares(order: Order): ReactNode {
  if (order.spares.length > 0) return <OrderRequests requests={order.spares} touches={TOUCHED_BY_ORDER} />;
  return order.beginTime ? <p className="x-quiet">{t('spares.noRequests')}</p> : null;
}

/** Parts for the order: chosen or scanned, with what is available. */
function ApplySpare({ row, onClose }: { row: Order; onClose: () => void }) {
  return <RequestForm order={row} call={`${CALL}/update`} touches={TOUCHED_BY_ORDER} onClose={onClose} />;
}

export default {
  title: ({ machineName, configName }) => `${machineName} ${configName}`,
  tags: (order) => <Marks order={order} />,
  touches: TOUCHES,
  useList: useOrderList,
  values: {
    machineName: (order) => <MachineLink order={order} />,
    configName: (order) => <StandardLink order={order} />,
    dueHours: ({ dueHours, meterUnitName }) => reading(dueHours, meterUnitName),
    readHours: ({ readHours, meterUnitName }) => reading(readHours, meterUnitName),
    originalDueDate: ({ dueDate, originalDueDate, delayCount }) =>
      dueDate === originalDueDate ? null : t('maintain.delayed', { n: delayCount, date: originalDueDate }),
    userNames: ({ userNames }) => (userNames.length > 0 ? userNames.join(' · ') : null),
    usedMinutes: ({ usedMinutes }) => (usedMinutes === null ? null : <Minutes value={usedMinutes} />),
    estMinutes: ({ estMinutes }) => <Minutes value={estMinutes ?? null} />,
    stopMinutes: stops,
    delayCount: ({ delayCount, delayReason }) => (delayCount ? delayReason : null),
    details: ({ details }) => <ItemRows rows={details} />,
    safety: ({ safety }) => (safety ? <Said label={t('maintain.safetyLabel')} text={safety} /> : null),
    tools: ({ tools }) => (tools ? <Said label={t('maintain.toolsLabel')} text={tools} /> : null),
    lines,
    spares,
    signImage: signature,
    checkResultName: verdict,
    totalCost: ({ labourCost, totalCost }) => (totalCost === labourCost ? null : yuan(totalCost)),
  },
  begins: {
    delay: ({ dueDate }) => ({ dueDate: dayjs(dueDate).add(1, 'day').format('YYYY-MM-DD') }),
    save: ({ machineId, configId }) => ({
      machineId,
      configId,
      dueDate: dayjs().format('YYYY-MM-DD'),
      estMinutes: undefined,
      needStop: undefined,
    }),
  },
  above: {
    start: ({ needStop }) =>
      needStop === 1 && (
        <Alert className="x-block x-full" type="info" showIcon title={t('maintain.willStop')} />
      ),
    delay: ({ latestDueDate }) => (
      <p className="x-quiet x-full">{t('maintain.until', { date: latestDueDate })}</p>
    ),
  },
  dialogs: { submit: WorkForm, applySpare: ApplySpare },
  start: {
    title: () => t('maintain.new'),
    submitText: () => t('maintain.create'),
    next: () => t('maintain.next'),
    page: (id) => `${LIST}/${id}`,
  },
  fields: {
    safetyConfirmed: ({ safety }) => ({ control: Safety, hidden: !safety }),
    'save.configId': { control: StandardField },
    'save.estMinutes': { hidden: true },
    'save.needStop': { hidden: true },
    checkResult: () => ({
      hints: {
        1: { hint: t('maintain.passHint'), tone: 'good' },
        2: { hint: t('maintain.failHint'), tone: 'bad' },
      },
    }),
    checkRemark: (_, { checkResult }) =>
      checkResult === FAIL
        ? { label: t('maintain.failReason'), message: t('maintain.failMissing'), required: true }
        : {},
  },
} satisfies CaseScreen<Order>;
