/** The messages that a person was sent: where each leads, and how they are marked as read. */
import { CASES } from '@/api/cases';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { SHEETS } from '@/kit/sheetJobs';
import { type Action, useAction } from '@/kit/useAction';
import { LIST } from '@/screens/shared/orders';
import { useOpens } from '@/session/rights';
import { site } from '@/site';
import { detailPath } from '@/workflow/cases/screen';

const [MACHINES, TASKS] = ['/equip/machine', '/inspect/order'];
/** By what a message is about: the page, and what stands before the record's id there; nothing where it shows all. */
const PLACES: Readonly<Record<string, readonly [page: string, before?: string]>> = {
  repairorder: [LIST, '/'],
  inspectorder: [TASKS, '/'],
  inspectforecast: ['/inspect/forecast'],
  configinfo: [TASKS],
  statutory: [MACHINES, '/'],
  warranty: [MACHINES, '/'],
  spareinfo: ['/spare/part', '?show='],
  spareuselog: ['/spare/request', '?show='],
  sparereorder: ['/spare/reorder'],
  queue: ['/monitor/queue'],
  sealcheck: ['/monitor/log/seal'],
  absence: ['/work/absence'],
  sheetjob: [SHEETS],
};

/** Returns the address of the record that a message is about; undefined where there is none that the person may open. */
export function useMessagePlace(): (
  message: Pick<Wire<'Message'>, 'businessType' | 'businessId'>,
) => string | undefined {
  const opens = useOpens();
  return ({ businessType, businessId }) => {
    if (businessType === 'digest') return site.home;
    const [page, before] = PLACES[businessType] ?? [];
    if (page) return opens(page) ? page + (before ? before + businessId : '') : undefined;
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
