/** The small form of each act on an order: it says what will happen and asks for what the act must carry. */
import { Alert, Button, Form } from 'antd';
import dayjs from 'dayjs';
import { useRef } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ChoicesField, WordsField } from '@/kit/choices';
import { FormDrawer } from '@/kit/FormDrawer';
import {
  DateTimeField,
  DictField,
  NumberField,
  PhotosField,
  ScoreField,
  SelectField,
  SwitchField,
  TextAreaField,
  TextField,
} from '@/kit/fields';
import { fromWire, toWire } from '@/lib/dates';
import { LineRows } from './lines';
import { isStanding } from './marks';
import { PersonField } from './PersonField';
import {
  ACTION,
  CAUSE,
  ORDER_TOUCHED,
  useFinishOffers,
  useHelpers,
  useParts,
  useTags,
  useTeams,
} from './queries';
import {
  byRecord,
  byTask,
  FAIL,
  offers,
  outcomeOf,
  PASS,
  type Step,
  type StepValues,
  TO_PERSON,
  TO_TEAM,
} from './steps';

type Order = Wire<'RepairOrderDetail'>;
type Task = Wire<'TaskDetail'>;

const CRITICAL = 1;

/** Steps whose own fields hold no words that could serve as the opinion. */
const WORDLESS: readonly Step[] = ['claim', 'dispatch', 'accept', 'resume', 'finish'];

interface StepFormProps {
  order: Order;
  step: Step;
  /** The task in the queue that led here; its step is completed through the queue. */
  task?: Task;
  onAddLine: () => void;
  onClose: () => void;
}

/** This minute; to the second where the stop began in the same minute, for it must end later. */
function runningAgain(stopStart: string | null): string | undefined {
  const now = dayjs();
  const minute = now.startOf('minute');
  return toWire(fromWire(stopStart)?.isBefore(minute) ? minute : now);
}

function initialOf(step: Step, order: Order): StepValues {
  switch (step) {
    case 'dispatch':
      return {
        to: order.teamId && !order.repairUserId ? TO_TEAM : TO_PERSON,
        repairUserId: order.repairUserId ?? undefined,
        teamId: order.teamId ?? undefined,
        planFinishTime: order.planFinishTime ?? undefined,
        helperIds: order.helperIds ? order.helperIds.split(',') : [],
      };
    case 'finish':
      // After a failed check the last round's words are still there to go on from.
      return {
        solution: order.solution,
        causeTagId: order.causeTagId ?? undefined,
        actionTagIds: order.actionTagIds ? order.actionTagIds.split(',') : [],
        stopEnd: isStanding(order) ? runningAgain(order.stopStart) : undefined,
        afterImages: order.afterImages,
        partMachineId: order.partMachineId ?? undefined,
        isOutsource: order.isOutsource,
        vendorName: order.vendorName || undefined,
        outsourceCost: order.outsourceCost || undefined,
        otherCost: order.otherCost || undefined,
      };
    case 'check':
      return { stoppedAgain: 0, stopStart: toWire(dayjs().startOf('minute')) };
    default:
      return {};
  }
}

export function StepForm({ order, step, task, onAddLine, onClose }: StepFormProps) {
  const { t } = useTranslation();
  // As it was read when the form opened: what others do meanwhile is refused, not overwritten.
  const read = useRef({ id: order.id, lockVersion: order.lockVersion });
  const queue = task && offers(task, step) ? task : undefined;
  const name = t(`repair.action.${step}`);
  const loading = !useFinishOffers(order.machineId, step === 'finish');
  return (
    <FormDrawer<StepValues>
      size="small"
      loading={loading}
      width={step === 'finish' ? 560 : undefined}
      title={t('repair.formTitle', { action: name, number: order.orderNo })}
      note={t(`repair.will.${step}`)}
      initial={initialOf(step, order)}
      submit={(values) => {
        const call = queue ? byTask(queue, step, values) : byRecord(read.current, step, values);
        return api.post(call.path, call.body);
      }}
      submitText={name}
      danger={step === 'cancel'}
      invalidates={ORDER_TOUCHED}
      onConflict={onClose}
      onClose={onClose}
    >
      <Fields step={step} order={order} onAddLine={onAddLine} />
      {queue && WORDLESS.includes(step) && outcomeOf(step, {}) && (
        <TextAreaField name="comment" label={t('repair.field.comment')} max={500} rows={2} />
      )}
    </FormDrawer>
  );
}

interface FieldsProps {
  step: Step;
  order: Order;
  onAddLine: () => void;
}

function Fields({ step, order, onAddLine }: FieldsProps) {
  const { t } = useTranslation();
  switch (step) {
    case 'dispatch':
      return <DispatchFields order={order} />;
    case 'transfer':
      return (
        <>
          <PersonField machineId={order.machineId} current={order} />
          <TextAreaField name="reason" label={t('repair.field.transferReason')} max={500} required />
        </>
      );
    case 'refuse':
      return <TextAreaField name="reason" label={t('repair.field.refuseReason')} max={500} required />;
    case 'hang':
      return (
        <>
          <DictField
            name="hangReason"
            label={t('repair.field.hangReason')}
            dict="repair_hang_reason"
            required
          />
          <TextAreaField name="remark" label={t('repair.field.remark')} max={500} required />
        </>
      );
    case 'cancel':
      return (
        <>
          <DictField
            name="cancelReason"
            label={t('repair.field.cancelReason')}
            dict="repair_cancel"
            required
          />
          <TextAreaField name="remark" label={t('repair.field.remark')} max={500} />
        </>
      );
    case 'finish':
      return <FinishFields order={order} onAddLine={onAddLine} />;
    case 'check':
      return <CheckFields />;
    default:
      return null;
  }
}

function DispatchFields({ order }: { order: Order }) {
  const { t } = useTranslation();
  const teams = useTeams();
  const toTeam = Form.useWatch<number>('to') === TO_TEAM;
  return (
    <>
      <ChoicesField
        name="to"
        label={t('repair.field.to')}
        choices={[
          {
            value: TO_PERSON,
            label: t('repair.field.person'),
            hint: t('repair.field.personHint'),
            tone: 'active',
          },
          {
            value: TO_TEAM,
            label: t('repair.field.wholeTeam'),
            hint: t('repair.field.wholeTeamHint'),
            tone: 'active',
          },
        ]}
        required
      />
      {toTeam ? (
        <SelectField name="teamId" label={t('repair.team')} options={teams} required />
      ) : (
        <>
          <PersonField machineId={order.machineId} current={order} />
          <HelpersField order={order} />
        </>
      )}
      <DateTimeField name="planFinishTime" label={t('repair.field.planFinishTime')} />
    </>
  );
}

function HelpersField({ order }: { order: Order }) {
  const { t } = useTranslation();
  const people = useHelpers(order.machineId);
  const repairer = Form.useWatch<string>('repairUserId');
  return (
    <SelectField
      name="helperIds"
      label={t('repair.field.helpers')}
      options={people.filter(({ value }) => value !== repairer)}
      multiple
    />
  );
}

/** What others did or delivered for money; out of the way until it is asked for. */
function CostFields() {
  const { t } = useTranslation();
  const vendor = Form.useWatch<number>('isOutsource') === 1;
  return (
    <>
      <SwitchField name="isOutsource" label={t('repair.field.isOutsource')} />
      {vendor && (
        <>
          <TextField name="vendorName" label={t('repair.field.vendorName')} max={80} required />
          <NumberField
            name="outsourceCost"
            label={t('repair.cost.outsource')}
            min={0}
            decimals={2}
            unit="¥"
          />
        </>
      )}
      <NumberField name="otherCost" label={t('repair.cost.other')} min={0} decimals={2} unit="¥" />
    </>
  );
}

function FinishFields({ order, onAddLine }: { order: Order; onAddLine: () => void }) {
  const { t } = useTranslation();
  const causes = useTags(CAUSE);
  const actions = useTags(ACTION);
  const parts = useParts(order.machineId);
  const photos = order.isStop === 1 || order.urgency === CRITICAL;
  return (
    <>
      <div className="x-block">
        {order.lines.length === 0 ? (
          <Alert
            type="warning"
            showIcon
            title={t('repair.lines.needed')}
            action={<Button onClick={onAddLine}>{t('repair.lines.add')}</Button>}
          />
        ) : (
          <>
            <LineRows order={order} />
            <Button type="link" className="x-flush" onClick={onAddLine}>
              {t('repair.lines.add')}
            </Button>
          </>
        )}
      </div>
      <SelectField name="causeTagId" label={t('repair.result.cause')} options={causes} required />
      {parts.length > 0 && (
        <SelectField name="partMachineId" label={t('repair.result.part')} options={parts} />
      )}
      <WordsField name="actionTagIds" label={t('repair.result.actions')} options={actions} required />
      <TextAreaField
        name="solution"
        label={t('repair.result.solution')}
        message={t('repair.field.solutionMissing')}
        max={1000}
        required
      />
      {isStanding(order) && (
        <DateTimeField name="stopEnd" label={t('repair.field.stopEnd')} until={dayjs()} required />
      )}
      <PhotosField
        name="afterImages"
        label={t('repair.field.afterImages')}
        message={t('repair.field.afterRequired')}
        required={photos}
      />
      <CostFields />
    </>
  );
}

function CheckFields() {
  const { t } = useTranslation();
  const failed = Form.useWatch<number>('checkResult') === FAIL;
  return (
    <>
      <ChoicesField
        name="checkResult"
        label={t('repair.field.checkResult')}
        choices={[
          { value: PASS, label: t('repair.field.pass'), hint: t('repair.field.passHint'), tone: 'good' },
          { value: FAIL, label: t('repair.field.fail'), hint: t('repair.field.failHint'), tone: 'bad' },
        ]}
        required
      />
      <ScoreField name="checkScore" label={t('repair.field.checkScore')} />
      <TextAreaField
        key={failed ? 'fail' : 'pass'}
        name="checkRemark"
        label={failed ? t('repair.field.failReason') : t('repair.field.checkRemark')}
        message={t('repair.field.failMissing')}
        max={500}
        required={failed}
      />
      {failed && <StoppedAgain />}
    </>
  );
}

/** A refused repair may have stopped the machine anew. */
function StoppedAgain() {
  const { t } = useTranslation();
  const stopped = Form.useWatch<number>('stoppedAgain') === 1;
  return (
    <>
      <SwitchField name="stoppedAgain" label={t('repair.field.stoppedAgain')} />
      {stopped && (
        <DateTimeField name="stopStart" label={t('repair.report.stopStart')} until={dayjs()} required />
      )}
    </>
  );
}

type EditValues = Wire<'EditInputRequest'>;

/** Description, photos, urgency and promise. After the acceptance urgency may only rise. */
export function EditForm({ order, onClose }: { order: Order; onClose: () => void }) {
  const { t } = useTranslation();
  const read = useRef({ id: order.id, lockVersion: order.lockVersion });
  return (
    <FormDrawer<EditValues>
      size="small"
      title={t('repair.formTitle', { action: t('repair.action.edit'), number: order.orderNo })}
      note={t('repair.will.edit')}
      initial={{
        description: order.description,
        urgency: order.urgency,
        planFinishTime: order.planFinishTime ?? undefined,
        images: order.images,
      }}
      submit={(values) =>
        api.post('/yuzhu-equip/repairorder/update', {
          ...values,
          planFinishTime: values.planFinishTime ?? null,
          ...read.current,
        })
      }
      invalidates={ORDER_TOUCHED}
      onConflict={onClose}
      onClose={onClose}
    >
      <TextAreaField
        name="description"
        label={t('repair.description')}
        message={t('repair.report.descriptionShort')}
        max={1000}
        min={4}
        required
      />
      <DictField
        name="urgency"
        label={t('repair.urgency')}
        dict="repair_urgency"
        only={order.acceptTime ? [1, 2, 3].filter((value) => value <= order.urgency) : undefined}
        buttons
        required
      />
      <DateTimeField name="planFinishTime" label={t('repair.field.planFinishTime')} />
      <PhotosField name="images" label={t('repair.photos')} />
    </FormDrawer>
  );
}
