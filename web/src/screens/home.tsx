/** The first page: how the orders stand, what waits for me, what I reported, what I was told. */
import './home.css';
import { CheckOutlined } from '@ant-design/icons';
import { type QueryKey, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { Page, Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useDictionary } from '@/kit/dictionary';
import { Section } from '@/kit/Section';
import { StateTag } from '@/kit/StateTag';
import { ErrorLine, PageSkeleton } from '@/kit/states';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { useMessagePlace, useReadMessages } from '@/screens/shared/messages';
import { LateMarks } from '@/screens/shared/orderMarks';
import { CALL, LIST, UNFINISHED } from '@/screens/shared/orders';
import { ReportButton } from '@/screens/shared/ReportButton';
import { useCan, useCanOpen } from '@/session/rights';
import { useSession } from '@/session/session';
import { site } from '@/site';
import { loadQueue, TOUCHED, useProcessPaths } from '@/workflow/queries';
import { useQuick } from '@/workflow/quick';
import { DueMark, PriorityMark } from '@/workflow/taskMarks';

const TOP = 5;
const START = '/work/start';
const CHANGED = [...TOUCHED, ['orders'], ['case']];

export default function Home() {
  const { t } = useTranslation();
  const session = useSession();
  const seesOrders = useCanOpen(LIST);
  const starts = useCanOpen(START);
  const reports = useCan('repairorder_add');
  const phone = usePhone();
  const figures = seesOrders && <Figures />;
  return (
    <div className="x-home">
      <div className="x-head">
        <h1>{t('home.hello', { name: session?.realName || session?.account })}</h1>
        <div className="x-head-actions">
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
      {!phone && figures}
      <div className="x-home-grid">
        <div>
          <Tasks />
        </div>
        <div>
          {seesOrders && reports && <Reported userId={session?.userId ?? ''} />}
          <Messages />
        </div>
      </div>
      {/* On a phone one's own work comes first. */}
      {phone && figures}
    </div>
  );
}

/** How many orders stand in each state that is not an end, and how many are late; each with the way to them. */
function Figures() {
  const { t } = useTranslation();
  const states = useDictionary('repair_status');
  const asked = [...UNFINISHED.split(',').map((status) => ({ status: Number(status) })), { overdue: 1 }];
  const { data, error } = useQuery({
    queryKey: ['orders', 'figures'],
    queryFn: ({ signal }) => {
      const counts = asked.map((filter) =>
        api.get(`${CALL}/list`, { ...filter, size: 1 }, signal).then((page) => page.total),
      );
      return Promise.all(counts);
    },
    refetchInterval: site.countsPoll * 1000,
  });
  if (error && !data) return <ErrorLine error={error} />;
  // Six zeros would tell somebody who has nothing to do with orders no more than this.
  if (data?.every((count) => count === 0)) {
    return (
      <p className="x-figures-none x-panel">
        {t('home.none.orders')} <Link to={LIST}>{t('home.orders')}</Link>
      </p>
    );
  }
  return (
    <nav className="x-figures x-panel" aria-label={t('home.figures')} data-loading={data ? undefined : true}>
      {asked.map((filter, index) => {
        const count = data?.[index];
        const late = 'overdue' in filter;
        return (
          <Link
            key={late ? 'late' : filter.status}
            to={`${LIST}?${new URLSearchParams(Object.entries(filter).map(([name, value]) => [name, String(value)]))}`}
            className={late && count ? 'x-figure x-figure-bad' : 'x-figure'}
          >
            <span className="x-figure-count">{count === undefined ? '-' : count.toLocaleString()}</span>
            {late ? t('home.late') : states.options.length > 0 ? states.label(filter.status) : '\u00a0'}
          </Link>
        );
      })}
    </nav>
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
