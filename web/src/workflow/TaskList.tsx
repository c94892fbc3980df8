/** The four queues: what waits for me, what I may take, what I started, what I did. */
import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Params } from '@/api/calls';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { useDictionary } from '@/kit/dictionary';
import type { Filter } from '@/kit/filters';
import { Parts } from '@/kit/Parts';
import { type Column, ResourceList, type ResourceListProps } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { useBroad } from '@/kit/width';
import { moment } from '@/lib/dates';
import { useCanOpen } from '@/session/rights';
import { site } from '@/site';
import { type Hand, HandForm, handsOf } from './HandForm';
import { isStill } from './Parked';
import { loadQueue, type Queue, type QueueRow as Row, TOUCHED, useProcessPaths } from './queries';
import { useQuick } from './quick';
import { DueMark, PriorityMark } from './taskMarks';

function Stands({ row }: { row: Row }) {
  const { t } = useTranslation();
  return (
    <Tooltip title={row.haltedText || row.parkedText}>
      <span>
        {row.haltedText ? (
          <ToneTag tone="waiting">{t('work.halted')}</ToneTag>
        ) : (
          <ToneTag tone="bad">{t('work.parked')}</ToneTag>
        )}
      </span>
    </Tooltip>
  );
}

/** The step that waits, and whether its process stands still. */
function Step({ row }: { row: Row }) {
  if (!isStill(row)) return row.taskName;
  return (
    <>
      {row.taskName} <Stands row={row} />
    </>
  );
}

function Late({ row }: { row: Row }) {
  const { t } = useTranslation();
  return (
    <Tooltip title={t('work.lateSince', { time: moment(row.lateTime) })}>
      <span>
        <ToneTag tone="bad">{t('work.late')}</ToneTag>
      </span>
    </Tooltip>
  );
}

function Progress({ row }: { row: Row }) {
  const { t } = useTranslation();
  if (row.processIsFinished === 'finished') return <ToneTag tone="good">{t('work.finished')}</ToneTag>;
  if (isStill(row)) return <Stands row={row} />;
  return (
    <>
      <ToneTag tone="active">{row.taskName || t('work.running')}</ToneTag>{' '}
      {row.lateTime !== '' && <Late row={row} />}
    </>
  );
}

const START = '/work/start';
const CHANGED = [...TOUCHED, ['orders'], ['case']];

interface TaskListProps {
  queue: Queue;
  /** What the inbox adds to the list. */
  list?: Partial<
    Pick<
      ResourceListProps<Row>,
      'views' | 'inline' | 'bulkOnPhone' | 'quick' | 'narrow' | 'opened' | 'onRows' | 'action' | 'bulk'
    >
  >;
  /** In place of going to the task's page. */
  onOpen?: (row: Row) => void;
  /** Told what the list asks for. */
  onQuery?: (query: Params) => void;
  /** Rows that wait for the person no longer, and why: they can be read for a moment. */
  left?: ReadonlyMap<string, string>;
}

/** How the step ended; nothing where the step itself is called so, for its name stands beside it. */
const result = ({ outcomeName, taskName }: Row) => (outcomeName === taskName ? '' : outcomeName);

const NOBODY: ReadonlyMap<string, string> = new Map();

export function TaskList({ queue, list, onOpen, onQuery, left = NOBODY }: TaskListProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const paths = useProcessPaths();
  const claim = useAction<Row>({
    run: (row) => api.post('/blade-flow/work/claim-task', undefined, { taskId: row.taskId }),
    invalidates: CHANGED,
  });
  const quick = useQuick(CHANGED);
  const [handing, setHand] = useState<{ hand: Hand; row: Row }>();
  const categories = useDictionary('flow');
  const broad = useBroad();
  const mayStart = useCanOpen(START);
  const waits = queue === 'todo' || queue === 'handed' || queue === 'claim';
  const open = onOpen ?? ((row: Row) => navigate(waits ? paths.handle(row) : paths.detail(row)));
  const subject = (row: Row) =>
    left.has(row.id) ? <span className="x-leaving-why">{left.get(row.id)}</span> : row.subject;

  const step: Column<Row> = {
    key: 'taskName',
    title: t('work.step'),
    width: 120,
    nowrap: true,
    render: (row) => <Step row={row} />,
  };
  const state: Column<Row> = {
    key: 'processIsFinished',
    title: t('work.step'),
    width: 150,
    nowrap: true,
    render: (row) => <Progress row={row} />,
  };
  const starter: Column<Row> = { key: 'starterName', title: t('work.starter'), width: 100 };
  const time = (key: 'createTime' | 'endTime', title: string): Column<Row> => ({
    key,
    title,
    width: broad ? 160 : 145,
    nowrap: true,
    render: (row) => moment(row[key]),
  });
  const due: Column<Row> = {
    key: 'dueTime',
    title: t('work.due'),
    width: 150,
    nowrap: true,
    render: (row) => (row.dueAt === undefined ? '-' : <DueMark row={row} />),
  };
  const waiting: Column<Row>[] = [
    step,
    due,
    { key: 'why', title: t('work.why'), width: 120, extra: !broad },
    { ...starter, extra: !broad },
    time('createTime', t('work.arrived')),
  ];
  const own: Record<Queue, Column<Row>[]> = {
    todo: waiting,
    claim: waiting,
    handed: [
      step,
      { key: 'assigneeName', title: t('work.holder'), width: 120 },
      due,
      time('createTime', t('work.arrived')),
    ],
    send: [
      state,
      { key: 'assigneeName', title: t('work.holder'), width: 120 },
      time('createTime', t('work.started')),
      time('endTime', t('work.ended')),
    ],
    done: [
      step,
      {
        key: 'outcomeName',
        title: t('work.outcome'),
        width: 110,
        render: (row) =>
          row.isNegative ? <ToneTag tone="bad">{row.outcomeName}</ToneTag> : result(row) || '-',
      },
      { key: 'comment', title: t('work.comment'), width: 140, extra: !broad },
      starter,
      time('endTime', t('work.ended')),
    ],
  };
  const columns: Column<Row>[] = [
    {
      key: 'title',
      title: t('work.name'),
      width: broad ? 200 : 180,
      render: (row) => (
        <>
          <PriorityMark row={row} /> {row.title}
          {subject(row) && <div className="x-quiet">{subject(row)}</div>}
        </>
      ),
    },
    { key: 'businessNo', title: t('work.number'), width: 145, nowrap: true },
    ...own[queue],
    {
      key: 'processDefinitionName',
      title: t('work.process'),
      width: 150,
      extra: !broad,
      render: (row) =>
        `${row.processDefinitionName} · ${t('work.version', { n: row.processDefinitionVersion })}`,
    },
  ];
  const ofInbox: Filter[] = [
    {
      kind: 'select',
      name: 'isHeld',
      label: t('work.held'),
      options: [
        { value: '1', label: t('work.heldMine') },
        { value: '0', label: t('work.heldFree') },
      ],
    },
    {
      kind: 'dict',
      name: 'priority',
      label: t('work.priorityTitle'),
      dict: 'repair_urgency',
      multiple: true,
    },
  ];
  const filters: Filter[] = [
    { kind: 'text', name: 'keyword', label: t(queue === 'send' ? 'work.keywordOwn' : 'work.keyword') },
    {
      kind: 'select',
      name: 'category',
      label: t('work.category'),
      options: categories.options.map(({ value, label }) => ({ value: `flow_${value}`, label })),
    },
    { kind: 'text', name: 'processDefinitionName', label: t('work.process') },
    ...(queue === 'todo' ? ofInbox : []),
    ...(queue === 'done' ? [] : [{ kind: 'flag', name: 'overdue', label: t('work.overdue') } as const]),
    queue === 'done'
      ? { kind: 'dates', name: 'endTime', label: t('work.ended') }
      : { kind: 'dates', name: 'createTime', label: t(queue === 'send' ? 'work.started' : 'work.arrived') },
  ];

  return (
    <>
      {Boolean(claim.error) && (
        <div className="x-block">
          <ErrorLine error={claim.error} onConflict={claim.reset} />
        </div>
      )}
      {Boolean(quick.error) && (
        <div className="x-block">
          <ErrorLine error={quick.error} onConflict={quick.reset} />
        </div>
      )}
      {quick.content}
      <ResourceList<Row>
        name={`work.${queue}`}
        title={t(`work.${queue}`)}
        {...list}
        load={(query, signal) => {
          onQuery?.(query);
          return loadQueue(queue, query, signal);
        }}
        columns={columns}
        filters={filters}
        poll={site.countsPoll}
        card={(row) => ({
          title: row.title,
          state:
            waits && !isStill(row) ? (
              <span className="x-marks">
                <PriorityMark row={row} />
                <DueMark row={row} />
              </span>
            ) : (
              <Progress row={row} />
            ),
          meta: [
            left.get(row.id) ? (
              <span key="left" className="x-leaving-why">
                {left.get(row.id)}
              </span>
            ) : (
              [waits && row.taskName, row.subject || row.processDefinitionName].filter(Boolean).join(' · ')
            ),
            queue === 'send' || queue === 'handed' ? (
              <Parts key="who" of={[row.businessNo, row.assigneeName]} at={row.createTime} />
            ) : (
              <Parts
                key="who"
                of={[row.businessNo, queue === 'todo' && row.why, row.starterName, result(row)]}
                at={queue === 'done' ? row.endTime : row.createTime}
              />
            ),
          ],
        })}
        // Whoever has handed a task on may not see it any more.
        onOpen={queue === 'handed' ? undefined : open}
        rowClass={(row) => (left.has(row.id) ? 'x-leaving' : undefined)}
        rowActions={(row) =>
          left.has(row.id)
            ? []
            : [
                ...quick.actions(row),
                // A form of the same step is one way too many: the row itself opens the page.
                ...(row.taskActions.includes('complete') && !quick.asks(row)
                  ? [{ key: 'handle', label: t('work.handle'), onClick: () => open(row) }]
                  : []),
                ...(row.taskActions.includes('claim')
                  ? [{ key: 'claim', label: t('work.claimIt'), onClick: () => claim.run(row) }]
                  : []),
                ...handsOf(row).map((hand) => ({
                  key: hand,
                  label: t(`work.hand.${hand}`),
                  danger: hand === 'withdraw',
                  onClick: () => setHand({ hand, row }),
                })),
              ]
        }
        empty={{
          title: t(`work.empty.${queue}`),
          hint: t(`work.empty.${queue}Hint`),
          action: queue === 'send' && mayStart && (
            <Button onClick={() => navigate(START)}>{t('work.start')}</Button>
          ),
        }}
      />
      {handing && (
        <HandForm
          hand={handing.hand}
          task={handing.row}
          touches={CHANGED}
          onClose={() => setHand(undefined)}
        />
      )}
    </>
  );
}

export const Claim = () => <TaskList queue="claim" />;
export const Sent = () => <TaskList queue="send" />;
export const Done = () => <TaskList queue="done" />;
