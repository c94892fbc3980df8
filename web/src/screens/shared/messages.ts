/** The messages that a person was sent: where each leads, and how they are marked as read. */
import { CASES } from '@/api/cases';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { SHEETS } from '@/kit/sheetJobs';
import { type Action, useAction } from '@/kit/useAction';
import { LIST } from '@/screens/shared/orders';
import { useCanOpen } from '@/session/rights';
import { detailPath } from '@/workflow/cases/screen';

const QUEUES = '/monitor/queue';
const ABSENCES = '/work/absence';
const SEALS = '/monitor/log/seal';
const TASKS = '/inspect/order';
const FORECASTS = '/inspect/forecast';

/** Returns the address of the record that a message is about; undefined where there is none that the person may open. */
export function useMessagePlace(): (
  message: Pick<Wire<'Message'>, 'businessType' | 'businessId'>,
) => string | undefined {
  const seesOrders = useCanOpen(LIST);
  const seesQueues = useCanOpen(QUEUES);
  const seesSeals = useCanOpen(SEALS);
  const seesAbsences = useCanOpen(ABSENCES);
  const seesSheets = useCanOpen(SHEETS);
  const seesTasks = useCanOpen(TASKS);
  const seesForecasts = useCanOpen(FORECASTS);
  return ({ businessType, businessId }) => {
    if (businessType === 'repairorder') return seesOrders ? `${LIST}/${businessId}` : undefined;
    if (businessType === 'inspectorder') return seesTasks ? `${TASKS}/${businessId}` : undefined;
    if (businessType === 'inspectforecast') return seesForecasts ? FORECASTS : undefined;
    if (businessType === 'configinfo') return seesTasks ? TASKS : undefined;
    if (businessType === 'queue') return seesQueues ? QUEUES : undefined;
    if (businessType === 'sealcheck') return seesSeals ? SEALS : undefined;
    if (businessType === 'absence') return seesAbsences ? ABSENCES : undefined;
    if (businessType === 'sheetjob') return seesSheets ? SHEETS : undefined;
    const found = CASES.find(({ name }) => name === businessType);
    return found && detailPath(found.segment, businessId);
  };
}

/** Marks the messages with these ids as read; without ids, all of them. */
export function useReadMessages(): Action<string[]> {
  return useAction<string[]>({
    run: (ids) => api.post('/blade-desk/message/read', undefined, { ids }),
    invalidates: [['messages']],
  });
}
