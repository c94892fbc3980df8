/** The first page: what I can do now, what runs out, what went wrong, what I was told, how the orders stand. */
import './home.css';
import { CheckOutlined } from '@ant-design/icons';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { Page, Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { Section } from '@/kit/Section';
import { StateTag } from '@/kit/StateTag';
import { ErrorLine, PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { useMessagePlace, useReadMessages } from '@/screens/shared/messages';
import { LateMarks } from '@/screens/shared/orderMarks';
import { CALL, LIST, UNFINISHED } from '@/screens/shared/orders';
import { ReportButton } from '@/screens/shared/ReportButton';
import { useCan, useCanOpen, useEntry } from '@/session/rights';
import { useSession } from '@/session/session';
import { site } from '@/site';
import { loadQueue, TOUCHED, useProcessPaths } from '@/workflow/queries';
import { useQuick } from '@/workflow/quick';
import { DueMark, PriorityMark } from '@/workflow/taskMarks';

const TOP = 5;
const START = '/work/start';
const BOARD = '/wel/dashboard';
const CHANGED = [...TOUCHED, ['orders'], ['case']];

export default function Home() {
  const { t } = useTranslation();
  const session = useSession();
  const seesOrders = useCanOpen(LIST);
  const starts = useCanOpen(START);
  const phone = usePhone();
  const entry = useEntry(BOARD);
  // A phone has room for two.
  const board = phone ? undefined : entry;
  const reports = useCan('repairorder_add');
  const { data, error } = useQuery({
    // Whatever changes an order changes this too.
    queryKey: ['orders', 'home'],
    queryFn: ({ signal }) => api.get('/yuzhu-equip/homeMetric/home', undefined, signal),
    refetchInterval: site.countsPoll * 1000,
  });
  return (
    <div className="x-home">
      <div className="x-head">
        <h1>{t('home.hello', { name: session?.realName || session?.account })}</h1>
        <div className="x-head-actions">
          {board && (
            <Link to={BOARD}>
              <Button size="large" tabIndex={-1}>
                {board.name}
              </Button>
            </Link>
          )}
          {starts && (
            <Link to={START}>
              <Button size="large" tabIndex={-1}>
                {t('work.start')}
              </Button>
            </Link>
          )}
          <ReportButton large />
        </div>
      </div>
      <div className="x-home-grid">
        <div>
          <Tasks />
          {data?.now?.map((group) => (
            <ToDo key={group.name} group={group} />
          ))}
          <div className="x-home-later">
            <Messages />
          </div>
        </div>
        <div>
          {error && !data && <ErrorLine error={error} />}
          {!data && !error && <PageSkeleton rows={4} />}
          {data?.soon && <Matters title={t('home.soon')} none={t('home.none.soon')} groups={data.soon} />}
          {data?.wrong && (
            <Matters title={t('home.wrong')} none={t('home.none.wrong')} groups={data.wrong} bad />
          )}
          {seesOrders && reports && (
            <div className="x-home-later">
              <Reported userId={session?.userId ?? ''} />
            </div>
          )}
          {data?.orders && (
            <div className="x-home-later">
              <Figures orders={data.orders} late={lateOf(data.wrong)} />
            </div>
          )}
        </div>
      </div>
    </div>
  );
}

type Group = Wire<'HomeGroup'>;

const lateOf = (groups: readonly Group[] | null) =>
  groups?.find(({ name }) => name === 'repairsLate')?.count ?? 0;

/** Rows that can be dealt with now, each a way to it. */
function ToDo({ group }: { group: Group }) {
  const { t } = useTranslation();
  const place = useMessagePlace();
  const { name, title, kind, count, path, rows } = group;
  return (
    <Section
      title={title}
      action={count > rows.length && <Link to={path}>{t('home.all', { n: count })}</Link>}
    >
      <ul className="x-plain">
        {rows.map((row) => (
          <li key={row.id}>
            <Entry
              to={place({ businessType: kind, businessId: row.id })}
              title={row.name}
              meta={t(name === 'requests' ? 'home.when.requests' : 'home.when.tasks', {
                time: moment(row.time),
              })}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Groups whose rows are often of one name, told apart by their moment. */
const ALIKE = ['tasksEnding', 'tasksMissed'];
const when = (group: string, { day, time }: Group['rows'][number]) =>
  day ?? (ALIKE.includes(group) && time ? moment(time).slice('YYYY-'.length) : '');

/** What runs out or went wrong: how many of each, the first of them by name, and the way to all. */
function Matters(props: { title: string; none: string; groups: readonly Group[]; bad?: boolean }) {
  const { t } = useTranslation();
  const { title, none, groups, bad } = props;
  return (
    <Section title={title}>
      {groups.length === 0 && <p className="x-quiet">{none}</p>}
      <ul className="x-plain">
        {groups.map(({ name, title: called, count, path, rows }) => (
          <li key={name}>
            <Link className="x-matter" to={path}>
              <span className={bad ? 'x-matter-count x-matter-bad' : 'x-matter-count'}>
                {count.toLocaleString()}
              </span>
              <span className="x-entry-title">{called}</span>
              <span className="x-entry-meta x-two">
                {rows.map((row, at) => (
                  <Fragment key={row.id}>
                    {at > 0 && t('home.between')}
                    {row.name}
                    {when(name, row) && <span className="x-nowrap"> {when(name, row)}</span>}
                  </Fragment>
                ))}
                {count > rows.length && '\u00a0…'}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** How many orders stand in each state that is not an end, and how many are late; each with the way to them. */
function Figures({ orders, late }: { orders: readonly Wire<'HomeStatus'>[]; late: number }) {
  const { t } = useTranslation();
  // Six zeros would tell somebody who has nothing to do with orders no more than this.
  const none = orders.every(({ count }) => count === 0);
  const figures: [string, string, number][] = orders.map(({ status, statusName, count }) => [
    `status=${status}`,
    statusName,
    count,
  ]);
  return (
    <Section title={t('home.figures')} action={<Link to={LIST}>{t('home.orders')}</Link>}>
      {none ? (
        <p className="x-quiet">{t('home.none.orders')}</p>
      ) : (
        <nav className="x-home-states" aria-label={t('home.figures')}>
          {[...figures, ['overdue=1', t('home.late'), late] as const].map(([asked, name, count]) => (
            <Link key={asked} to={`${LIST}?${asked}`}>
              <b className="x-matter-count">{count.toLocaleString()}</b> {name}
            </Link>
          ))}
        </nav>
      )}
    </Section>
  );
}

interface BlockProps<Row> {
  title: string;
  none: string;
  queryKey: QueryKey;
  load: (signal: AbortSignal) => Promise<Page<Row>>;
  /** Where all of them are. */
  all?: string;
  action?: (rows: Row[]) => ReactNode;
  /** Above the rows, such as what was refused. */
  note?: ReactNode;
  row: (row: Row) => ReactNode;
}

/** The first few of a list, with the way to the rest. */
function Block<Row extends { id: string }>({
  title,
  none,
  queryKey,
  load,
  all,
  action,
  note,
  row,
}: BlockProps<Row>) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    refetchInterval: site.countsPoll * 1000,
  });
  const more = all && data && data.total > TOP && <Link to={all}>{t('home.all', { n: data.total })}</Link>;
  let body: ReactNode;
  if (error && !data) body = <ErrorLine error={error} />;
  else if (!data) body = <PageSkeleton rows={2} />;
  else if (data.records.length === 0) body = <p className="x-quiet">{none}</p>;
  else {
    body = (
      <ul className="x-plain">
        {data.records.map((entry) => (
          <li key={entry.id}>{row(entry)}</li>
        ))}
      </ul>
    );
  }
  return (
    <Section title={title} action={more || (data && action?.(data.records))}>
      {note}
      {body}
    </Section>
  );
}

interface EntryProps {
  to: string | undefined;
  title: string;
  state?: ReactNode;
  meta: ReactNode;
}

function Entry({ to, title, state, meta }: EntryProps) {
  const content = (
    <>
      <span className="x-entry-title x-two">{title}</span>
      {state}
      <span className="x-entry-meta">{meta}</span>
    </>
  );
  return to ? (
    <Link className="x-entry" to={to}>
      {content}
    </Link>
  ) : (
    <div className="x-entry">{content}</div>
  );
}

/** What an entry says of itself, each word once, and its moment, which does not break. */
function Told({ words, time }: { words: readonly (string | null | undefined)[]; time: string }) {
  const told = [...new Set(words.filter(Boolean))];
  return (
    <span>
      {told.join(' · ')}
      {told.length > 0 && ' · '}
      <span className="x-nowrap">{time}</span>
    </span>
  );
}

/** What I can do now; what runs out first stands first. */
function Tasks() {
  const { t } = useTranslation();
  const paths = useProcessPaths();
  const path = '/work/todo';
  const open = useCanOpen(path);
  const quick = useQuick(CHANGED);
  if (!open) return null;
  return (
    <>
      {quick.content}
      <Block
        title={t('home.todo')}
        none={t('home.none.todo')}
        queryKey={['work.todo', 'top']}
        load={(signal) => loadQueue('todo', { size: TOP }, signal)}
        all={path}
        note={Boolean(quick.error) && <ErrorLine error={quick.error} onConflict={quick.reset} />}
        row={(row) => (
          <div className="x-home-task">
            <Entry
              to={paths.handle(row)}
              title={row.title}
              state={
                <span className="x-marks">
                  <PriorityMark row={row} />
                  <DueMark row={row} />
                </span>
              }
              meta={
                <Told
                  words={[row.taskName, row.subject, row.why, row.starterName]}
                  time={t('home.ago', { time: moment(row.createTime) })}
                />
              }
            />
            {quick.actions(row).map(({ key, label, onClick }) => (
              <Button key={key} onClick={onClick}>
                {label}
              </Button>
            ))}
          </div>
        )}
      />
    </>
  );
}

function Reported({ userId }: { userId: string }) {
  const { t } = useTranslation();
  const filters = { reportUserId: userId, status: UNFINISHED.split(',') };
  return (
    <Block<Wire<'RepairOrder'>>
      title={t('home.reported')}
      none={t('home.none.reported')}
      queryKey={['orders', 'reported', userId]}
      load={(signal) => api.get(`${CALL}/list`, { ...filters, size: TOP }, signal)}
      all={`${LIST}?mine=1`}
      row={(order) => (
        <Entry
          to={`${LIST}/${order.id}`}
          title={order.title}
          state={<StateTag dict="repair_status" value={order.status} text={order.statusName} />}
          meta={
            <span className="x-marks">
              <Told words={[order.waitingFor]} time={moment(order.reportTime)} />
              <LateMarks order={order} />
            </span>
          }
        />
      )}
    />
  );
}

function Messages() {
  const { t } = useTranslation();
  const read = useReadMessages();
  const place = useMessagePlace();
  return (
    <Block<Wire<'Message'>>
      title={t('home.messages')}
      none={t('home.none.messages')}
      queryKey={['messages', 'top']}
      load={(signal) => api.get('/blade-desk/message/list', { unread: 1, size: TOP }, signal)}
      action={(rows) =>
        rows.length > 0 && (
          <Button type="link" className="x-flush" loading={read.busy} onClick={() => read.run([])}>
            {t('home.readAll')}
          </Button>
        )
      }
      row={(message) => (
        <div className="x-message">
          <Entry
            to={place(message)}
            title={message.title}
            meta={
              <>
                {message.content}
                <br />
                {moment(message.createTime)}
              </>
            }
          />
          <Button
            type="text"
            icon={<CheckOutlined />}
            aria-label={t('home.markRead', { title: message.title })}
            title={t('home.markRead', { title: message.title })}
            onClick={() => read.run([message.id])}
          />
        </div>
      )}
    />
  );
}
