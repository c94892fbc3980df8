/** Another operating status for one asset or several, by hand: from which day on, and why. */
import { App, Form } from 'antd';
import dayjs from 'dayjs';
import { api } from '@/api/client';
import { inspectmachine } from '@/api/nouns/inspectmachine';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { DateField, DictField, TextAreaField } from '@/kit/fields';
import { useLabels } from '@/kit/nounText';
import { useRights } from '@/session/rights';

/** Statuses that people set; the others belong to the processes. */
export const BY_HAND: readonly number[] = [1, 2, 6, 7];
export const [MACHINE, DISABLED, SCRAPPED] = [4, 6, 7];

type Machine = Pick<Wire<'Machine'>, 'id' | 'machineName'> &
  Partial<Pick<Wire<'Machine'>, 'nodeType' | 'runState'>>;
type Values = Omit<Wire<'StateInputRequest'>, 'ids'>;

/** Whether the person may set another status of this asset. */
export function useMayChangeState(): (machine: Machine) => boolean {
  const holds = useRights();
  return ({ nodeType = MACHINE, runState = 1 }) =>
    nodeType >= MACHINE &&
    BY_HAND.includes(runState) &&
    holds('inspectmachine_edit') &&
    (runState !== SCRAPPED || holds('inspectmachine_restore'));
}

interface Props {
  machines: readonly Machine[];
  onDone?: () => void;
  onClose: () => void;
}

export function ChangeState({ machines, onDone, onClose }: Props) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const label = useLabels(inspectmachine);
  // What all of them have already is no change.
  const others = BY_HAND.filter((state) => machines.some(({ runState }) => runState !== state));
  return (
    <FormDrawer<Values, Wire<'StateAnswer'>>
      size="small"
      title={t('machines.state.title')}
      note={
        machines.length === 1
          ? machines[0]?.machineName
          : t('machines.state.several', { count: machines.length })
      }
      initial={{ changeDate: dayjs().format('YYYY-MM-DD') }}
      submit={(values) =>
        api.post('/yuzhu-equip/inspectmachine/changeState', {
          ...values,
          ids: machines.map(({ id }) => id).join(),
        })
      }
      submitText={t('machines.state.submit')}
      invalidates={[[inspectmachine.name]]}
      onDone={({ changed, affected }) => {
        const done = t('machines.state.done', { count: changed });
        const open = affected.repairOrders;
        if (open > 0) message.warning(`${done} ${t('machines.state.stillOpen', { count: open })}`, 8);
        else message.success(done);
        onDone?.();
      }}
      onClose={onClose}
    >
      <DictField
        name="runState"
        label={label('runState')}
        dict="machine_run_state"
        only={others}
        buttons
        required
      />
      <DateField name="changeDate" label={t('machines.state.date')} required />
      <Reason />
    </FormDrawer>
  );
}

/** What goes out of use has a reason. */
function Reason() {
  const { t } = useTranslation();
  const state = Form.useWatch<number | undefined>('runState', Form.useFormInstance());
  return (
    <TextAreaField
      name="reason"
      label={t('machines.state.reason')}
      max={255}
      required={state === DISABLED || state === SCRAPPED}
      hint={state === SCRAPPED ? t('machines.state.scrapHint') : undefined}
    />
  );
}
