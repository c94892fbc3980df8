/** The inbox with the pages of its tasks, as its pane shows them. */
import { type ComponentType, lazy, Suspense } from 'react';
import { CASES } from '@/api/cases';
import { PageSkeleton } from '@/kit/states';
import { Inbox } from '@/workflow/inbox/Inbox';
import type { QueueRow } from '@/workflow/queries';
import { casePage } from './cases';
import { withTexts } from './texts';

/** By business table; a process of the company's own has pages that show any form. */
const PAGES: Readonly<Record<string, ComponentType>> = {
  process: lazy(() => withTexts('workflow/own/handle', () => import('@/workflow/own/handle'))),
  ...Object.fromEntries(CASES.map(({ name }) => [name, casePage(name, 'CaseTask')])),
};

function Task({ row }: { row: QueueRow }) {
  const Page = PAGES[row.businessTable];
  return <Suspense fallback={<PageSkeleton rows={8} />}>{Page && <Page />}</Suspense>;
}

export default () => <Inbox Task={Task} />;
