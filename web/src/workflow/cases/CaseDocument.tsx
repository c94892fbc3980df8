/** A record that a process moves, as a document: what it says, who has it, what happened, what may be done. */
import { useQuery } from '@tanstack/react-query';
import { Alert, Tabs } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { Case } from '@/api/case';
import { readCase, removeCase } from '@/api/caseCalls';
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { type DocumentAction, DocumentPage } from '@/kit/DocumentPage';
import { extraFacts, useExtras } from '@/kit/extras';
import { type Fact, Facts } from '@/kit/Facts';
import { labelIn } from '@/kit/nounText';
import { Section } from '@/kit/Section';
import { PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { CopyForm } from '../CopyForm';
import { HandForm } from '../HandForm';
import { useActKeys } from '../inbox/useActKeys';
import { TOUCHED } from '../queries';
import { Holder, StandsStill, useTimeline, whoOf } from '../RecordStory';
import { CaseStatus } from './CaseList';
import { CommandForm, saysNo, wordOf } from './CommandForm';
import { CommentBox, CommentNote } from './Comments';
import { Content, factsOf, isLong, partsOf } from './content';
import { type CaseProps, commandOf, type Open, type Row, touchedBy } from './screen';

const ProcessDiagram = lazy(() => import('../ProcessDiagram'));

interface CaseDocumentProps extends CaseProps {
  id: string;
  /** Where "back" leads. */
  parent: string;
  /** The task in the queue that led here. */
  task?: Wire<'TaskDetail'>;
  before?: ReactNode;
  /** The task's outcomes, where they have buttons of their own; below what is decided on. */
  decision?: ReactNode;
}

export function CaseDocument({ of, screen, id, parent, task, before, decision }: CaseDocumentProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['case', of.name, 'detail', id],
    queryFn: ({ signal }) => readCase<Row>(of, id, signal),
    refetchInterval: 60_000,
  });
  const timeline = useTimeline(data, (comment) => <CommentNote of={of} id={id} comment={comment} />);
  const { state: arrival } = useLocation();
  const elsewhere = decision ? (task?.outcomes ?? []).map(({ value }) => commandOf(of, value)) : [];
  const [command, setCommand] = useState<string>();
  const [urges, setUrges] = useState(false);
  const [copies, setCopies] = useState(false);
  const [dialog, setDialog] = useState<{ name: string; about: unknown }>();
  const opened = of.commands.find(({ name }) => name === command);
  const Dialog = dialog && screen.dialogs?.[dialog.name];
  const open: Open = (name, about) => {
    // A screen may have a form of its own for a command.
    if (of.commands.some((one) => one.name === name) && !screen.dialogs?.[name]) setCommand(name);
    else setDialog({ name, about });
  };
  useActKeys((key) => {
    const outcome = task?.outcomes.find(({ positive, negative }) => (key === 'a' ? positive : negative));
    const name = key === 't' ? TRANSFER : outcome && commandOf(of, outcome.value)?.name;
    const meant = of.commands.find((one) => one.name === name && !elsewhere.includes(one));
    if (!task || !meant || !data?.allowedActions.includes(meant.name)) return false;
    open(meant.name);
    return true;
  });
  const phone = usePhone();
  const folds = phone && screen.lead !== undefined;
  const declared = useExtras(of).fields;
  const extras = data && extraFacts(declared, data, language);
  const isSent = (arrival as Arrival | null)?.sent && data?.logs.length === 1;
  const title = labelIn(language, of.title);
  return (
    <>
      <DocumentPage
        loading={!data}
        error={data ? undefined : error}
        retry={refetch}
        parent={parent}
        before={
          <>
            {before ?? <StandsStill record={data} />}
            {isSent && data.openTask && <Sent task={data.openTask} next={screen.start?.next?.()} />}
          </>
        }
        number={String(data?.[of.number] ?? '')}
        title={data ? (screen.title?.(data) ?? t('work.case.title', { title, name: data.userName })) : ''}
        state={data && <CaseStatus of={of} row={data} />}
        tags={data && screen.tags?.(data)}
        facts={data && !folds ? factsOf({ of, screen, row: data, open, language, extras }, of.document) : []}
        holder={data?.openTask && <Waits row={data} task={data.openTask} />}
        next={data?.nextText}
        note={data && <SentBack of={of} row={data} />}
        timeline={timeline}
        below={data && <CommentBox of={of} id={id} />}
        actions={useActions(
          of,
          data,
          open,
          { urge: () => setUrges(true), copy: () => setCopies(true) },
          elsewhere,
        )}
      >
        {data && (
          <Tabs
            className="x-doc-tabs"
            items={[
              {
                key: 'detail',
                label: t('work.case.detail'),
                children: (
                  <Body of={of} screen={screen} row={data} open={open} folds={folds} extras={extras} />
                ),
              },
              {
                key: 'diagram',
                label: t('work.case.diagram'),
                children: (
                  <Suspense fallback={<PageSkeleton />}>
                    <ProcessDiagram processInstanceId={data.processInstanceId} />
                  </Suspense>
                ),
              },
            ]}
          />
        )}
        {data && decision}
      </DocumentPage>
      {data && opened && (
        <CommandForm
          key={opened.name}
          of={of}
          screen={screen}
          row={data}
          command={opened}
          task={task}
          open={open}
          onClose={() => setCommand(undefined)}
        />
      )}
      {urges && data?.openTask && (
        <HandForm
          hand="urge"
          task={{ taskId: '', processInstanceId: data.processInstanceId, title: String(data[of.number]) }}
          who={data.openTasks.map(whoOf).join(' / ')}
          touches={[...touchedBy({ of, screen }), ...TOUCHED]}
          onClose={() => setUrges(false)}
        />
      )}
      {data && copies && (
        <CopyForm
          processInstanceId={data.processInstanceId}
          title={String(data[of.number])}
          onClose={() => setCopies(false)}
        />
      )}
      {data && Dialog && <Dialog row={data} about={dialog.about} onClose={() => setDialog(undefined)} />}
      {data && dialog?.name === REMOVE && (
        <ConfirmDialog
          title={t('kit.deleteConfirm')}
          okText={t('kit.delete')}
          danger
          run={() => removeCase(of, data.id)}
          invalidates={[...touchedBy({ of, screen }), ...TOUCHED]}
          onDone={() => navigate(parent, { replace: true })}
          onClose={() => setDialog(undefined)}
        >
          {t('work.case.removeWhat', { number: data[of.number] })}
        </ConfirmDialog>
      )}
    </>
  );
}

/** The command by which somebody else goes on with the record. */
const TRANSFER = 'transfer';

interface Arrival {
  /** The record has just been made. */
  sent?: boolean;
}

/** To whoever has just made the record: that it arrived, and whom it waits for. */
function Sent({ task, next }: { task: Wire<'OpenTask'>; next?: string }) {
  const { t } = useTranslation();
  return (
    <Alert
      className="x-block x-sent"
      type="success"
      showIcon
      title={t('work.case.sent', { who: whoOf(task), step: task.nodeName })}
      description={next}
    />
  );
}

/** Why the last step said no, for whoever has to do something about it. */
function SentBack({ of, row }: { of: Case; row: Row }) {
  const { t } = useTranslation();
  const steps = of.commands.filter(({ outcomes }) => outcomes.length > 0);
  const last = row.logs.findLast(({ action }) => steps.some(({ name }) => name === action));
  const said = last && steps.find(({ name }) => name === last.action);
  const hasMoved = last?.toStatusName && last.toStatusName !== row.statusName;
  if (!said || hasMoved || !saysNo(said) || !last.remark) return null;
  return (
    <Alert
      className="x-block"
      type="error"
      showIcon
      title={t('work.case.sentBack', { who: last.userName, time: moment(last.time), act: last.actionName })}
      description={last.remark}
    />
  );
}

/** Who has it, and when who started it may remind them again. */
function Waits({ row, task }: { row: Row; task: Wire<'OpenTask'> }) {
  const { t } = useTranslation();
  return (
    <>
      <Holder task={task} />
      {row.urge?.againTime && (
        <div className="x-quiet">{t('work.hand.again', { time: moment(row.urge.againTime) })}</div>
      )}
    </>
  );
}

/** Another action by which the record is deleted. */
const REMOVE = 'remove';

/** The buttons of what is allowed; the first main one is the main one, and the first of the others stands beside it. */
function useActions(
  of: Case,
  row: Row | undefined,
  open: Open,
  does: { urge: () => void; copy: () => void },
  elsewhere: readonly unknown[],
): DocumentAction[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const allowed = of.commands.filter(
    (one) => row?.allowedActions.includes(one.name) && !elsewhere.includes(one),
  );
  const others = of.others.filter((name) => row?.allowedActions.includes(name));
  const node = row?.openTask?.node ?? '';
  // What has another word at this step changes what was done before: it is not what the step waits for.
  const main = allowed.find(({ tone, labels }) => tone === 'main' && !labels[node]);
  // One way out at a time: what can still be ended is deleted only after that.
  const mayRemove = !allowed.some(({ tone }) => tone === 'danger');
  return [
    ...others
      .filter((name) => name !== REMOVE || mayRemove)
      .map((name): DocumentAction => {
        const label = name === REMOVE ? t('kit.delete') : labelIn(language, of.acts[name] ?? [name, name]);
        return { key: name, label, kind: name === REMOVE ? 'danger' : undefined, onClick: () => open(name) };
      }),
    ...allowed.map((one): DocumentAction => {
      const kind = one === main ? 'main' : one.tone === 'danger' || saysNo(one) ? 'danger' : undefined;
      return {
        key: one.name,
        label: labelIn(language, wordOf(one, node)),
        kind,
        onClick: () => open(one.name),
      };
    }),
    ...(row?.urge?.againTime === ''
      ? [{ key: 'urge', label: t('work.hand.urge'), onClick: does.urge } satisfies DocumentAction]
      : []),
    ...(row?.mayCopy
      ? [{ key: 'copy', label: t('work.copies.send'), onClick: does.copy } satisfies DocumentAction]
      : []),
  ].reverse();
}

/** Long texts and files of the document, each below a heading of its own, then the declared parts. */
function Body(props: CaseProps & { row: Row; open: Open; folds: boolean; extras?: readonly Fact[] }) {
  const { of, screen, row, folds } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const long = of.document.filter(([name = '']) => isLong(of, name));
  const parts = [
    ...long.map((names) => ({ title: of.fields[names[0] ?? '']?.label ?? ['', ''], fields: [names] })),
    ...of.sections,
  ];
  const shown = partsOf({ ...props, language }, parts);
  const sections = shown.map(({ title, content }) => (
    <Section key={title[1]} title={labelIn(language, title)}>
      <Content items={content} />
    </Section>
  ));
  if (!folds) return <div className="x-doc-main">{sections}</div>;
  return (
    <div className="x-doc-main">
      {sections[0]}
      {screen.lead?.(row)}
      <details className="x-panel x-section x-fold">
        <summary>{t('work.case.more')}</summary>
        <Facts items={factsOf({ ...props, language }, of.document)} />
      </details>
      {sections.slice(1)}
    </div>
  );
}
