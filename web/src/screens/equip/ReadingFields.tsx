/** The form of a meter reading: what the counter shows, and what a new counter began with. */
import { Form } from 'antd';
import dayjs from 'dayjs';
import { useRef } from 'react';
import type { RowOf } from '@/api/noun';
import { submitRow } from '@/api/nounCalls';
import { inspectmachine } from '@/api/nouns/inspectmachine';
import { meterreading } from '@/api/nouns/meterreading';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { DateTimeField, type FieldProps, NumberField, SwitchField, TextAreaField } from '@/kit/fields';
import { useLabels } from '@/kit/nounText';
import { moment, WIRE } from '@/lib/dates';
import { exact } from '@/lib/money';
import { randomKey } from '@/lib/random';

export type Reading = RowOf<typeof meterreading>;

/** What depends on a reading beside the readings: the totals of its asset. */
export const TOUCHED = [[meterreading.name], [inspectmachine.name]] as const;

export const now = () => dayjs().second(0).format(WIRE);

/** Asked where the counter is a new one. */
export function ResetBaseField(props: FieldProps) {
  const { t } = useTranslation();
  const isReset = Form.useWatch<number | undefined>('isReset', Form.useFormInstance());
  if (!isReset) return null;
  return <NumberField {...props} min={0} decimals={1} hint={t('machines.meter.baseHint')} />;
}

interface Props {
  machine: Pick<Wire<'Machine'>, 'id' | 'machineName' | 'meterUnitName'>;
  /** The last reading of its counter. */
  last?: Reading;
  onClose: () => void;
}

/** A new reading of one asset. */
export function AddReading({ machine, last, onClose }: Props) {
  const { t } = useTranslation();
  const label = useLabels(meterreading);
  // A second try of the same input is answered with what the first one did.
  const key = useRef<[text: string, key: string]>(undefined);
  return (
    <FormDrawer
      size="small"
      title={t('machines.meter.add')}
      note={
        last
          ? t('machines.meter.last', {
              name: machine.machineName,
              value: exact(last.value, 1),
              unit: machine.meterUnitName,
              time: moment(last.readTime),
            })
          : t('machines.meter.first', { name: machine.machineName })
      }
      initial={{ readTime: now() }}
      submit={(values: object) => {
        const body = { ...values, machineId: machine.id };
        const text = JSON.stringify(body);
        if (key.current?.[0] !== text) key.current = [text, randomKey()];
        return submitRow(meterreading, body, key.current[1]);
      }}
      invalidates={TOUCHED}
      success={t('kit.added')}
      onClose={onClose}
    >
      <NumberField
        name="value"
        label={label('value')}
        min={0}
        decimals={1}
        unit={machine.meterUnitName}
        required
      />
      <DateTimeField name="readTime" label={label('readTime')} required until={dayjs()} />
      <SwitchField name="isReset" label={label('isReset')} hint={t('machines.meter.resetHint')} />
      <ResetBaseField name="resetBase" label={label('resetBase')} />
      <TextAreaField name="remark" label={label('remark')} max={200} rows={2} />
    </FormDrawer>
  );
}
