/** Choosing whoever may be sent to a machine, the most fitting first, with what they have on their hands. */
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { useEffect } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { t } from '@/i18n';
import { RemoteSelectField, SelectField } from '@/kit/fields';
import type { ControlProps } from '@/workflow/cases/screen';

type Machine = { machineId: string };

const machineUsers = (machineId: string, signal: AbortSignal) =>
  api.get('/yuzhu-equip/user/machineUsers', { machineId }, signal);

/** `given` has the machine, and who it is so far. */
export function PersonField({ given, source: _, ...props }: ControlProps) {
  const { machineId, repairUserId, repairUserName } = given as Machine & Partial<Wire<'RepairOrder'>>;
  const load = async (_keyword: string, signal: AbortSignal) =>
    (await machineUsers(machineId, signal)).map((person) => ({
      value: person.userId,
      label: person.userName,
      hint: [
        person.teamName,
        person.isDuty && t('repair.duty'),
        person.onDuty === 1 && t('repair.onDuty', { shift: person.shiftName }),
        t('repair.load', { n: person.openOrders }),
      ]
        .filter(Boolean)
        .join(' · '),
    }));
  return (
    <RemoteSelectField
      {...props}
      source={['people', machineId]}
      load={load}
      current={repairUserId ? { value: repairUserId, label: repairUserName ?? '' } : undefined}
      required
    />
  );
}

/** The same, with the most fitting one filled in: the server has the responsible ones first, the least busy before the
 * others. */
export function ProposedPerson(props: ControlProps) {
  const { machineId, repairUserId } = props.given as Machine & Partial<Wire<'RepairOrder'>>;
  const form = Form.useFormInstance();
  const { data } = useQuery({
    queryKey: ['people', machineId, 'proposed'],
    queryFn: async ({ signal }) => (await machineUsers(machineId, signal))[0] ?? null,
    enabled: !repairUserId,
  });
  useEffect(() => {
    // Who has chosen meanwhile is not corrected.
    if (data && !form.getFieldValue('repairUserId')) form.setFieldValue('repairUserId', data.userId);
  }, [data, form]);
  if (repairUserId || data === undefined) return <PersonField {...props} />;
  const given = data && { ...props.given, repairUserId: data.userId, repairUserName: data.userName };
  return <PersonField {...props} {...(given && { given, hint: t('repair.proposed') })} />;
}

/** Repairers of the machine's own team: they see its orders, so they can help. The form's value is one text. */
export function HelpersField({ given, source: _, ...props }: ControlProps) {
  const { machineId } = given as Machine;
  const { data = [] } = useQuery({
    queryKey: ['people', machineId, 'team'],
    queryFn: ({ signal }) => machineUsers(machineId, signal),
  });
  const repairer = Form.useWatch<string>('repairUserId');
  const options = data
    .filter(({ isOfTeam, userId }) => isOfTeam === 1 && userId !== repairer)
    .map(({ userId, userName }) => ({ value: userId, label: userName }));
  return <SelectField {...props} options={options} multiple joined />;
}
