/** Choosing what an asset is maintained by: its own standards first, with when each is due and what is open already. */
import { useQuery } from '@tanstack/react-query';
import { Form } from 'antd';
import { useEffect } from 'react';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { SelectField } from '@/kit/fields';
import type { ControlProps } from '@/workflow/cases/screen';
import { CALL } from './queries';

export function StandardField({ given: _, source: __, ...props }: ControlProps) {
  const { t } = useTranslation();
  const form = Form.useFormInstance();
  const machineId = Form.useWatch<string | undefined>('machineId', form);
  const chosen = Form.useWatch<string | undefined>('configId', form);
  const { data, isFetching } = useQuery({
    queryKey: ['maintainorder', 'standards', machineId],
    queryFn: ({ signal }) => api.get(`${CALL}/getMaintainConfig`, { machineId: machineId ?? '' }, signal),
    enabled: Boolean(machineId),
  });
  const found = data?.find(({ configId }) => configId === chosen);
  // Another asset may not have the standard.
  const isGone = data !== undefined && chosen !== undefined && !found;
  useEffect(() => {
    if (isGone) form.setFieldValue('configId', undefined);
  }, [isGone, form]);
  const due = found?.nextDueDate;
  useEffect(() => {
    if (due) form.setFieldValue('dueDate', due);
  }, [due, form]);
  return (
    <SelectField
      {...props}
      disabled={!machineId}
      loading={isFetching}
      placeholder={machineId ? undefined : t('maintain.machineFirst')}
      hint={
        found &&
        [
          found.cycleText,
          found.nextDueDate && t('maintain.nextDue', { date: found.nextDueDate }),
          found.openOrderId && t('maintain.isOpen'),
          found.safety,
        ]
          .filter(Boolean)
          .join(' · ')
      }
      options={(data ?? []).map(({ configId, configName, levelName }) => ({
        value: configId,
        label: `${configName} · ${levelName}`,
      }))}
    />
  );
}
