/** Sending a task back: to which earlier step, how it goes on from there, what else ends, and why. */
import { useQuery } from '@tanstack/react-query';
import { Form, Radio } from 'antd';
import { useEffect } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { Field, SelectField, TextAreaField } from '@/kit/fields';
import { moment } from '@/lib/dates';

type Earlier = Wire<'EarlierStep'>;
type Way = 'again' | 'straight';

interface Values {
  to?: string;
  way?: Way;
  reason?: string;
}

interface SendBackFormProps {
  task: Pick<Wire<'FlowTask'>, 'taskId' | 'title'>;
  /** Queries that show where the process is. */
  touches: readonly (readonly unknown[])[];
  onDone?: () => void | Promise<void>;
  onClose: () => void;
}

const waysOf = (step: Earlier | undefined): Way[] => [
  ...(step?.walksAgain ? (['again'] as const) : []),
  ...(step?.comesBack ? (['straight'] as const) : []),
];

export default function SendBackForm({ task, touches, onDone, onClose }: SendBackFormProps) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['work', 'earlier', task.taskId],
    queryFn: ({ signal }) => api.get('/blade-flow/work/earlier-steps', { taskId: task.taskId }, signal),
    gcTime: 0,
  });
  const steps = data ?? [];
  const [first] = steps;
  return (
    <FormDrawer<Values>
      size="small"
      title={t('work.hand.title', { action: t('work.hand.sendBack'), name: task.title })}
      loading={!data && !error}
      loadError={data ? undefined : error}
      retry={refetch}
      initial={{ to: first?.node, way: waysOf(first)[0] }}
      submit={({ to = '', way, reason = '' }) =>
        api.post('/blade-flow/work/send-back', {
          taskId: task.taskId,
          to,
          comesBack: way === 'straight',
          reason: reason.trim(),
        })
      }
      submitText={t('work.hand.sendBack')}
      danger
      invalidates={touches}
      onDone={onDone}
      onConflict={onClose}
      onClose={onClose}
    >
      <Fields steps={steps} />
    </FormDrawer>
  );
}

/** Radio buttons; a step that is gone back to in one way only offers that one. */
function Fields({ steps }: { steps: readonly Earlier[] }) {
  const { t } = useTranslation();
  const form = Form.useFormInstance<Values>();
  const chosen = Form.useWatch<string | undefined>('to');
  const way = Form.useWatch<Way | undefined>('way');
  const step = steps.find(({ node }) => node === chosen);
  const ways = waysOf(step);
  const fits = way !== undefined && ways.includes(way);
  const [usual] = ways;
  useEffect(() => {
    if (!fits && usual) form.setFieldValue('way', usual);
  }, [form, fits, usual]);
  const told = ({ name, userName, endTime }: Earlier) =>
    t('work.back.step', { step: name, who: userName, time: moment(endTime) });
  const ends = (step?.ends ?? []).map(({ name, assigneeName }) =>
    assigneeName ? t('work.back.ending', { step: name, who: assigneeName }) : name,
  );
  const notes = {
    again:
      ends.length > 0 ? t('work.back.ends', { what: ends.join(t('work.own.gap')) }) : t('work.back.alone'),
    straight: t('work.back.stays'),
  };
  return (
    <>
      <SelectField
        name="to"
        label={t('work.back.to')}
        options={steps.map((one) => ({ value: one.node, label: told(one) }))}
        required
        full
      />
      <Field name="way" label={t('work.back.way')} kind="choose" required full hint={way && notes[way]}>
        <Radio.Group vertical options={ways.map((one) => ({ value: one, label: t(`work.back.${one}`) }))} />
      </Field>
      <TextAreaField name="reason" label={t('work.hand.reason')} max={500} required />
    </>
  );
}
