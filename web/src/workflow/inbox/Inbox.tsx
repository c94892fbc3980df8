/** The inbox: what I can do now. Rows that others finish leave by themselves, many are done at once, and on a wide
 * screen the task stands beside its list. */
import './inbox.css';
import { CloseOutlined, ColumnWidthOutlined } from '@ant-design/icons';
import { Button, Segmented } from 'antd';
import { type ComponentType, useCallback, useRef, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Params } from '@/api/calls';
import { useTranslation } from '@/i18n';
import { ContentTitle } from '@/kit/contentTitle';
import { useDictionary } from '@/kit/dictionary';
import { personKey } from '@/kit/listLook';
import type { Quick } from '@/kit/ResourceList';
import { EmptyState } from '@/kit/states';
import { useBroad } from '@/kit/width';
import { useSession } from '@/session/session';
import { type QueueRow, TOUCHED, useProcessPaths } from '../queries';
import { TaskList } from '../TaskList';
import { ActForm, useActName } from './ActForm';
import { type Act, actsOn, decisionOn, type Given } from './acts';
import { following, leftList, TaskPane } from './place';
import { Results } from './Results';
import { useActKeys } from './useActKeys';
import { type GoneTask, useLeft } from './useLeft';

interface Acting {
  act: Act;
  rows: readonly QueueRow[];
  /** Set once many are under way. */
  given?: Given;
}

interface InboxProps {
  /** The page of a task, for the pane; which one, it finds in `TaskPane`. */
  Task: ComponentType<{ row: QueueRow }>;
}

/** What I can do now; or, by the address, what I have handed to others. */
export function Inbox(props: InboxProps) {
  const [params] = useSearchParams();
  if (params.get(LIST) === HANDED) return <TaskList queue="handed" list={{ action: <ListChoice /> }} />;
  return <Mine {...props} />;
}

const [LIST, HANDED] = ['list', 'handed'];

function ListChoice() {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  return (
    <Segmented
      value={params.get(LIST) === HANDED ? HANDED : 'mine'}
      options={[
        { value: 'mine', label: t('work.inbox.mine') },
        { value: HANDED, label: t('work.inbox.handed') },
      ]}
      onChange={(wanted) => setParams(wanted === HANDED ? { [LIST]: HANDED } : {}, { replace: true })}
    />
  );
}

function Mine({ Task }: InboxProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const location = useLocation();
  const paths = useProcessPaths();
  const [split, setSplit] = useSplit();
  const [rows, setRows] = useState<readonly QueueRow[]>([]);
  const [opened, setOpened] = useState<QueueRow>();
  const [acting, setActing] = useState<Acting>();
  const query = useRef<Params>({});
  const { left, gone, forget } = useLeft(rows, TOUCHED, 'work.todo');

  const open = (row: QueueRow) => {
    if (split) return setOpened(row);
    leftList.set({
      address: location.pathname + location.search,
      query: query.current,
      ids: rows.map(({ id }) => id),
    });
    return navigate(paths.handle(row));
  };
  /** What comes after a task that is over. */
  const nextOf = (taskId: string) =>
    following(
      rows.map(({ id }) => id),
      rows.filter(({ id }) => !left.has(id)),
      taskId,
    );
  const begin = (act: Act, chosen: readonly QueueRow[]) => {
    // A claim asks for nothing.
    setActing({ act, rows: chosen, given: act.kind === 'claim' ? {} : undefined });
  };
  const onGiven = (act: Act, chosen: readonly QueueRow[], given: Given) => {
    const [row] = chosen;
    if (chosen.length > 1) setActing({ act, rows: chosen, given });
    else if (row && row.id === opened?.id) setOpened(nextOf(row.id));
  };
  const onRows = useCallback((now: readonly QueueRow[]) => {
    setRows(now);
    // What its holder and its acts are now.
    setOpened((before) => before && (now.find(({ id }) => id === before.id) ?? before));
  }, []);

  useActKeys((key) => {
    const id = document.activeElement?.closest('[data-row-key]')?.getAttribute('data-row-key') ?? opened?.id;
    const row = rows.find((one) => one.id === id);
    if (!row || left.has(row.id)) return false;
    if (key === 't') {
      const transfer = actsOn([row]).find(({ kind }) => kind === 'transfer');
      if (transfer) begin(transfer, [row]);
      else open(row);
      return true;
    }
    const act = decisionOn(row, key === 'a');
    // What asks for more is filled in on the task's page.
    if (act) begin(act, [row]);
    else open(row);
    return true;
  });

  const finished = (location.state as { finished?: string } | null)?.finished;
  const next = finished && following(leftList.get()?.ids ?? [], rows, finished);
  const list = (
    <>
      {next && (
        <div className="x-panel x-next" role="status">
          <span>{t('work.inbox.finished')}</span>
          <Button type="primary" autoFocus onClick={() => open(next)}>
            {t('work.inbox.next', { n: rows.length })}
          </Button>
        </div>
      )}
      <TaskList
        queue="todo"
        onOpen={open}
        onQuery={(asked) => {
          query.current = asked;
        }}
        left={left}
        list={{
          views: true,
          inline: split ? 1 : 4,
          quick: useQuick(),
          narrow: split,
          opened: split ? opened?.id : undefined,
          onRows,
          action: (
            <>
              <ListChoice />
              <SplitButton split={split} setSplit={setSplit} />
            </>
          ),
          bulkOnPhone: true,
          bulk: (chosen, clear) => (
            <BulkActs
              rows={chosen.filter(({ id }) => !left.has(id))}
              onAct={(act, those) => {
                begin(act, those);
                clear();
              }}
            />
          ),
        }}
      />
      {gone.length > 0 && <Gone tasks={gone} onClose={forget} />}
    </>
  );
  return (
    <>
      {split ? (
        <div className="x-split">
          <div>{list}</div>
          <div className="x-pane">
            {opened ? (
              <ContentTitle value={unheard}>
                <TaskPane
                  key={opened.id}
                  value={{
                    taskId: opened.taskId,
                    processInstanceId: opened.processInstanceId,
                    businessId: opened.businessId,
                    finished: () => setOpened(nextOf(opened.id)),
                  }}
                >
                  <Task row={opened} />
                </TaskPane>
              </ContentTitle>
            ) : (
              <div className="x-panel">
                <EmptyState title={t('work.inbox.none')} hint={t('work.inbox.noneHint')} />
              </div>
            )}
          </div>
        </div>
      ) : (
        list
      )}
      {acting &&
        (acting.given ? (
          <Results
            act={acting.act}
            rows={acting.rows}
            given={acting.given}
            onClose={() => setActing(undefined)}
          />
        ) : (
          <ActForm
            act={acting.act}
            rows={acting.rows}
            // Closing comes first, and forgets it otherwise.
            onGiven={(given) => onGiven(acting.act, acting.rows, given)}
            onClose={() => setActing(undefined)}
          />
        ))}
    </>
  );
}

/** What others have taken out of the list while it stood there: a quiet line, and on demand each with who has it. */
function Gone({ tasks, onClose }: { tasks: readonly GoneTask[]; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="x-panel x-gone" role="status">
      <details>
        <summary>{t('work.inbox.gone', { n: tasks.length })}</summary>
        <ul className="x-plain">
          {tasks.map(({ id, title, message }) => (
            <li key={id}>
              {title} <span className="x-quiet">{message}</span>
            </li>
          ))}
        </ul>
      </details>
      <Button type="text" icon={<CloseOutlined />} aria-label={t('kit.close')} onClick={onClose} />
    </div>
  );
}

/** The tab keeps the name of the list. */
const unheard = () => undefined;

function BulkActs({
  rows,
  onAct,
}: {
  rows: readonly QueueRow[];
  onAct: (act: Act, rows: readonly QueueRow[]) => void;
}) {
  const { t } = useTranslation();
  const name = useActName();
  const acts = actsOn(rows);
  if (acts.length === 0) return <span className="x-quiet">{t('work.inbox.nothing')}</span>;
  return acts.map((act) => (
    <Button
      key={act.kind === 'outcome' ? `outcome.${act.outcome.value}` : act.kind}
      onClick={() => onAct(act, rows)}
    >
      {name(act)}
    </Button>
  ));
}

function SplitButton({ split, setSplit }: { split: boolean; setSplit: (on: boolean) => void }) {
  const { t } = useTranslation();
  if (!useBroad()) return null;
  return (
    <Button
      icon={<ColumnWidthOutlined />}
      type={split ? 'primary' : 'default'}
      aria-pressed={split}
      onClick={() => setSplit(!split)}
    >
      {t('work.inbox.split')}
    </Button>
  );
}

/** Whether the task stands beside its list: remembered on this device for this person, and only where there is room. */
function useSplit(): [boolean, (on: boolean) => void] {
  const key = personKey('split', 'work.todo', useSession()?.userId);
  const [kept, setKept] = useState<{ key: string; on: boolean }>();
  const broad = useBroad();
  const on = kept?.key === key ? kept.on : localStorage.getItem(key) === '1';
  const set = (wanted: boolean) => {
    localStorage.setItem(key, wanted ? '1' : '0');
    setKept({ key, on: wanted });
  };
  return [broad && on, set];
}

/** What presses, and each kind of process. */
function useQuick(): Quick[] {
  const { t } = useTranslation();
  const kinds = useDictionary('flow');
  return [
    { label: t('work.inbox.chip.today'), filters: { dueToday: '1' } },
    { label: t('work.inbox.chip.overdue'), filters: { overdue: '1' } },
    { label: t('work.inbox.chip.urgent'), filters: { priority: '1,2' } },
    { label: t('work.inbox.chip.returned'), filters: { returned: '1' } },
    ...kinds.options.map(({ value, label }) => ({ label, filters: { category: `flow_${value}` } })),
  ];
}
