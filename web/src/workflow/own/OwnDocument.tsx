/** A process of the company's own as a document: what was filled in, who did what and when, where it stands. */
import { Tabs } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { type DocumentAction, DocumentPage } from '@/kit/DocumentPage';
import { Facts } from '@/kit/Facts';
import { Section } from '@/kit/Section';
import { ToneTag } from '@/kit/StateTag';
import { PageSkeleton } from '@/kit/states';
import type { TimelineItem } from '@/kit/Timeline';
import { moment } from '@/lib/dates';
import { CopyForm } from '../CopyForm';
import { ShownValue } from '../forms/ShownValue';
import { inputsOf, isLong, schemaOf, textOf } from '../forms/schema';
import { StillAbove } from '../Parked';
import { useHistory } from '../queries';
import { useSendMessage } from '../SendMessage';
import { useProcess } from './queries';
import { INSTANCE_TONES } from './tones';

const ProcessDiagram = lazy(() => import('@/workflow/ProcessDiagram'));

type Detail = Wire<'ProcessDetail'>;
type Row = Wire<'HistoryRow'>;

/** The steps that wait, each once, and who holds them: several may sign the same one. */
function holders(waiting: readonly Row[]): string {
  const people = new Map<string, string[]>();
  for (const { historyActivityName: step, assigneeName: name } of waiting)
    people.set(step, [...(people.get(step) ?? []), ...(name ? [name] : [])]);
  return [...people]
    .map(([step, names]) => (names.length > 0 ? `${step} · ${names.join(', ')}` : step))
    .join('; ');
}

interface OwnDocumentProps {
  id: string;
  /** Where "back" leads. */
  parent: string;
  before?: ReactNode;
  actions?: readonly DocumentAction[];
  actionError?: unknown;
  /** Keys that the form of the step shows itself. */
  without?: ReadonlySet<string>;
  /** In place of what was filled in, after the diagram. */
  tabs?: readonly { key: string; label: ReactNode; children: ReactNode }[];
  /** Above what was filled in: the form of the step. */
  children?: ReactNode;
}

export function OwnDocument({
  id,
  parent,
  before,
  actions,
  actionError,
  without,
  tabs,
  children,
}: OwnDocumentProps) {
  const { t } = useTranslation();
  const { data: detail, error, refetch } = useProcess(id);
  const { data: history = [] } = useHistory(id);
  const timeline = useTimeline(history);
  const sending = useSendMessage(id);
  const waiting = history.filter(isWaiting);
  const [copies, setCopies] = useState(false);
  const diagram = {
    key: 'diagram',
    label: t('work.own.diagram'),
    children: (
      <Suspense fallback={<PageSkeleton />}>
        <ProcessDiagram processInstanceId={id} isToldAbove />
      </Suspense>
    ),
  };
  const filled = (shown: Detail) => ({
    key: 'form',
    label: t('work.own.form'),
    children: (
      <div className="x-doc-main">
        {children}
        <Filled detail={shown} without={without} />
      </div>
    ),
  });
  const copy: DocumentAction = {
    key: 'copy',
    label: t('work.copies.send'),
    onClick: () => setCopies(true),
  };
  return (
    <DocumentPage
      loading={!detail}
      error={detail ? undefined : error}
      retry={refetch}
      parent={parent}
      before={before ?? (detail && <StillAbove {...detail} />)}
      // Not twice: a title may have the number in it.
      number={detail && !detail.title.includes(detail.businessNo) ? detail.businessNo : ''}
      title={detail?.title ?? ''}
      state={detail && <State detail={detail} />}
      facts={
        detail
          ? [
              {
                label: t('work.process'),
                value: processOf(detail, t('work.version', { n: detail.processDefinitionVersion })),
              },
              { label: t('work.starter'), value: detail.starterName },
              { label: t('work.started'), value: moment(detail.startTime) },
              ...(detail.endTime ? [{ label: t('work.own.ended'), value: moment(detail.endTime) }] : []),
            ]
          : []
      }
      holder={waiting.length > 0 && holders(waiting)}
      timeline={timeline}
      actions={[...(actions ?? []), ...sending.actions, ...(detail?.mayCopy ? [copy] : [])]}
      actionError={actionError}
    >
      {detail && (
        <Tabs className="x-doc-tabs" items={tabs ? [diagram, ...tabs] : [filled(detail), diagram]} />
      )}
      {detail && copies && (
        <CopyForm processInstanceId={id} title={detail.title} onClose={() => setCopies(false)} />
      )}
      {sending.dialog}
    </DocumentPage>
  );
}

/** What stands still is not shown as if it went on. */
function State({ detail }: { detail: Detail }) {
  const { t } = useTranslation();
  if (detail.parkedText) return <ToneTag tone="bad">{t('work.parked')}</ToneTag>;
  if (detail.haltedText) return <ToneTag tone="waiting">{t('work.halted')}</ToneTag>;
  return <ToneTag tone={INSTANCE_TONES[detail.status] ?? 'quiet'}>{detail.statusName}</ToneTag>;
}

function processOf(detail: Detail, version: string): string {
  return `${detail.processDefinitionName} · ${version}`;
}

/** What was filled in before, step by step. */
function Filled({ detail, without }: { detail: Detail; without?: ReadonlySet<string> }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sections = detail.sections
    .map((section) => ({
      ...section,
      fields: inputsOf(schemaOf(section.form)).filter(({ key }) => !without?.has(key)),
    }))
    .filter(({ fields }) => fields.length > 0);
  if (sections.length === 0) return without ? null : <p className="x-quiet">{t('work.own.nothing')}</p>;
  return sections.map(({ node, name, values, fields }) => (
    <Section key={node} title={name || t('work.own.asked')}>
      <Facts
        items={fields.map((field) => ({
          label: textOf(field, 'label', language),
          value: <ShownValue component={field} value={values[field.key]} texts={detail.texts} />,
          full: isLong(field),
        }))}
      />
    </Section>
  ));
}

function isWaiting(row: Row): boolean {
  return row.historyActivityType === 'userTask' && row.endTime === '';
}

function useTimeline(history: readonly Row[]): TimelineItem[] {
  const { t } = useTranslation();
  // What waits comes last, after what was done with it since it came.
  const rows = [...history.filter((row) => !isWaiting(row)), ...history.filter(isWaiting)];
  return rows.map((row): TimelineItem => {
    const { id, historyActivityName: step, outcomeName, historyActivityDurationTime: spent } = row;
    if (isWaiting(row))
      return {
        key: id,
        tone: 'waiting',
        title: t('work.own.waits', { step }),
        by: row.readTime
          ? `${row.assigneeName} · ${t('work.copies.readAt', { time: moment(row.readTime) })}`
          : row.assigneeName,
        time: row.createTime,
      };
    const isTask = row.historyActivityType === 'userTask';
    const by =
      isTask && spent ? `${row.assigneeName} · ${t('work.own.spent', { time: spent })}` : row.assigneeName;
    return {
      key: id,
      tone: isTask ? (row.isNegative ? 'bad' : 'good') : 'quiet',
      title: outcomeName ? t('work.own.outcome', { step, outcome: outcomeName }) : step,
      by,
      time: row.endTime,
      note: row.comment || undefined,
    };
  });
}
