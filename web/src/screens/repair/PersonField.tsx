/** Choosing whoever may be sent to a machine, the most fitting first, with what they have on their hands. */
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { RemoteSelectField } from '@/kit/fields';

interface PersonFieldProps {
  machineId: string;
  /** Who it is so far. */
  current?: Pick<Wire<'RepairOrder'>, 'repairUserId' | 'repairUserName'>;
  name?: string;
}

export function PersonField({ machineId, current, name = 'repairUserId' }: PersonFieldProps) {
  const { t } = useTranslation();
  const { repairUserId, repairUserName = '' } = current ?? {};
  const load = async (_: string, signal: AbortSignal) => {
    const people = await api.get<Wire<'MachineUser'>[]>(
      '/yuzhu-equip/user/machineUsers',
      { machineId },
      signal,
    );
    return people.map(({ userId, userName, teamName, openOrders, isDuty }) => ({
      value: userId,
      label: userName,
      hint: [teamName, isDuty && t('repair.field.duty'), t('repair.field.load', { n: openOrders })]
        .filter(Boolean)
        .join(' · '),
    }));
  };
  return (
    <RemoteSelectField
      name={name}
      label={t('repair.field.repairUserId')}
      source={['people', machineId]}
      load={load}
      current={repairUserId ? { value: repairUserId, label: repairUserName } : undefined}
      required
    />
  );
}
