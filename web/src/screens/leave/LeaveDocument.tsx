/** A request for leave as a document: what is asked, who has it, what happened, what may be done. */
import { Tabs } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { type DocumentAction, DocumentPage, Section } from '@/kit/DocumentPage';
import type { Fact } from '@/kit/Facts';
import { Photos } from '@/kit/Photos';
import { StateTag } from '@/kit/StateTag';
import { PageSkeleton } from '@/kit/states';
import { moment } from '@/lib/dates';
import { Holder, StandsStill, useTimeline } from '@/workflow/RecordStory';
import { useLeave } from './queries';
import { StepForm } from './StepForm';

const ProcessDiagram = lazy(() => import('@/workflow/ProcessDiagram'));

type Leave = Wire<'LeaveDetail'>;
export type Step = Leave['allowedActions'][number];

/** In the order of the bar. */
const KINDS: Readonly<Record<Step, DocumentAction['kind']>> = {
  withdraw: 'danger',
  reject: undefined,
  approve: 'main',
  submit: 'main',
};
const NODES = ['approve', 'hr', 'revise'] as const;

/** Whether the step is the shipped model's, and not one that a company added. */
export function isOurs(node: string | undefined): node is (typeof NODES)[number] {
  return NODES.some((name) => name === node);
}

interface LeaveDocumentProps {
  id: string;
  /** Where "back" leads. */
  parent: string;
  before?: ReactNode;
}

export function LeaveDocument({ id, parent, before }: LeaveDocumentProps) {
  const { t } = useTranslation();
  const { data: leave, error, refetch } = useLeave(id);
  const timeline = useTimeline(leave);
  const facts = useFacts(leave);
  const [step, setStep] = useState<Step>();
  // A step that a changed model added has no sentence of ours; the diagram shows what follows it.
  const node = leave?.openTask?.node;
  const actions = (Object.keys(KINDS) as Step[])
    .filter((action) => leave?.allowedActions.includes(action))
    .map((key) => ({
      key,
      label: t(`leave.action.${key}`),
      kind: KINDS[key],
      onClick: () => setStep(key),
    }));
  return (
    <>
      <DocumentPage
        loading={!leave}
        error={leave ? undefined : error}
        retry={refetch}
        parent={parent}
        before={before ?? <StandsStill record={leave} />}
        number={leave?.leaveNo ?? ''}
        title={leave ? t('leave.title', { name: leave.userName }) : ''}
        state={leave && <StateTag dict="leave_status" value={leave.status} text={leave.statusName} />}
        facts={facts}
        holder={leave?.openTask && <Holder task={leave.openTask} />}
        next={isOurs(node) && t(`leave.next.${node}`)}
        timeline={timeline}
        actions={actions}
      >
        {leave && (
          <Tabs
            className="x-doc-tabs"
            items={[
              { key: 'detail', label: t('leave.tabs.detail'), children: <Request leave={leave} /> },
              {
                key: 'diagram',
                label: t('leave.tabs.diagram'),
                children: (
                  <Suspense fallback={<PageSkeleton />}>
                    <ProcessDiagram processInstanceId={leave.processInstanceId} />
                  </Suspense>
                ),
              },
            ]}
          />
        )}
      </DocumentPage>
      {leave && step && <StepForm key={step} leave={leave} step={step} onClose={() => setStep(undefined)} />}
    </>
  );
}

function useFacts(leave: Leave | undefined): Fact[] {
  const { t } = useTranslation();
  if (!leave) return [];
  return [
    {
      label: t('leave.facts.applicant'),
      value: [leave.userName, leave.deptName].filter(Boolean).join(' · '),
    },
    { label: t('leave.type'), value: leave.typeName },
    {
      label: t('leave.facts.time'),
      value: (
        <>
          <span className="x-nowrap">{moment(leave.startTime)}</span> –{' '}
          <span className="x-nowrap">{moment(leave.endTime)}</span>
        </>
      ),
    },
    { label: t('leave.days'), value: t('leave.daysOf', { n: leave.days }) },
    { label: t('leave.approver'), value: leave.approverName },
    { label: t('leave.facts.applied'), value: moment(leave.applyTime) },
    ...(leave.closeTime ? [{ label: t('leave.facts.closed'), value: moment(leave.closeTime) }] : []),
  ];
}

function Request({ leave }: { leave: Leave }) {
  const { t } = useTranslation();
  return (
    <Section title={t('leave.reason')}>
      <p className="x-text">{leave.reason}</p>
      {leave.attachments.length > 0 && <Photos links={leave.attachments} />}
    </Section>
  );
}
