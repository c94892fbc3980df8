/** The frame of an order, a task, an instance: head, sections, what happened at the right, what can be done at the bottom. */
import { ArrowLeftOutlined } from '@ant-design/icons';
import { Button, Dropdown, QRCode } from 'antd';
import type { ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { useTranslation } from '@/i18n';
import { useContentTitle } from './contentTitle';
import { type Fact, Facts } from './Facts';
import { Section } from './Section';
import { ErrorLine, ErrorState, PageSkeleton } from './states';
import { Timeline, type TimelineItem } from './Timeline';
import { usePhone } from './width';

export interface DocumentAction {
  key: string;
  label: string;
  onClick: () => void;
  /** One main action; a dangerous one stands apart at the left. */
  kind?: 'main' | 'danger';
  busy?: boolean;
}

interface DocumentPageProps {
  loading?: boolean;
  error?: unknown;
  retry?: () => void;
  /** Where "back" leads when the page was opened by its address. */
  parent: string;
  number: string;
  title: string;
  state: ReactNode;
  /** Further tags beside the state, such as urgency or lateness. */
  tags?: ReactNode;
  facts: readonly Fact[];
  /** Who holds it now, and what comes next; left out when it is over. */
  holder?: ReactNode;
  next?: ReactNode;
  timeline?: readonly TimelineItem[];
  /** Below the timeline, such as a box for a comment. */
  below?: ReactNode;
  actions?: readonly DocumentAction[];
  /** The refusal of an action that has no form of its own. */
  actionError?: unknown;
  /** Below the title, what has to be read first. */
  note?: ReactNode;
  /** Above everything, such as the task that led here. */
  before?: ReactNode;
  /** Sections. */
  children: ReactNode;
}

export function DocumentPage(props: DocumentPageProps) {
  const { loading, error, retry, parent, number, title, state, tags, facts, holder, next, timeline } = props;
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { key, pathname } = useLocation();
  useContentTitle(loading || error ? '' : [number, title].filter(Boolean).join(' '));
  if (error) return <ErrorState error={error} retry={retry ?? (() => navigate(parent))} />;
  if (loading) return <PageSkeleton rows={10} />;
  // The first entry of a visit has nothing of ours behind it.
  const back = () => (key === 'default' ? navigate(parent) : navigate(-1));
  return (
    <article className="x-doc">
      {props.before}
      <header className="x-panel x-doc-head">
        <Button className="x-doc-back" type="text" icon={<ArrowLeftOutlined />} onClick={back}>
          {t('kit.back')}
        </Button>
        {/* On paper: whoever scans it has the record as it is by then. */}
        <div className="x-print-code" aria-hidden>
          <QRCode
            type="svg"
            value={window.location.origin + pathname}
            size={88}
            bordered={false}
            color="#000"
            bgColor="#fff"
          />
        </div>
        <div className="x-doc-title">
          <h1>{title}</h1>
          {number && <span className="x-doc-number">{number}</span>}
          {state}
          {tags}
        </div>
        {props.note}
        {facts.length > 0 && <Facts items={facts} />}
        {(holder || next) && (
          <dl className="x-doc-holder">
            {holder && (
              <div>
                <dt>{t('kit.document.holder')}</dt>
                <dd>{holder}</dd>
              </div>
            )}
            {next && (
              <div>
                <dt>{t('kit.document.next')}</dt>
                <dd>{next}</dd>
              </div>
            )}
          </dl>
        )}
      </header>
      <div className={timeline ? 'x-doc-body x-doc-body-two' : 'x-doc-body'}>
        <div className="x-doc-main">{props.children}</div>
        {timeline && (
          <Section title={t('kit.document.timeline')}>
            <Timeline items={timeline} />
            {props.below}
          </Section>
        )}
      </div>
      <ActionBar actions={props.actions ?? []} error={props.actionError} />
    </article>
  );
}

function ActionBar({ actions, error }: { actions: readonly DocumentAction[]; error: unknown }) {
  const { t } = useTranslation();
  const phone = usePhone();
  if (actions.length === 0 && !error) return null;
  const rank = ({ kind }: DocumentAction) => (kind === 'danger' ? 0 : kind === 'main' ? 2 : 1);
  const ordered = [...actions].sort((a, b) => rank(a) - rank(b));
  // On a phone one row: the main action, one beside it, the others behind "more".
  const sight = phone && actions.length > 3 ? ordered.slice(-2) : ordered;
  const more = ordered.filter((action) => !sight.includes(action)).reverse();
  return (
    <div className="x-sticky-bar">
      <div className="x-bar">
        {Boolean(error) && (
          <div className="x-bar-error">
            <ErrorLine error={error} />
          </div>
        )}
        {more.length > 0 && (
          <Dropdown
            trigger={['click']}
            placement="topLeft"
            menu={{
              items: more.map(({ key, label, onClick, kind }) => ({
                key,
                label,
                onClick,
                danger: kind === 'danger',
              })),
            }}
          >
            <Button className="x-bar-narrow">{t('kit.more')}</Button>
          </Dropdown>
        )}
        {sight.map(({ key, label, onClick, kind, busy }) => (
          <Button
            key={key}
            data-act={key}
            type={kind === 'main' ? 'primary' : 'default'}
            danger={kind === 'danger'}
            className={kind === 'danger' ? 'x-bar-apart' : undefined}
            loading={busy}
            onClick={onClick}
          >
            {label}
          </Button>
        ))}
      </div>
    </div>
  );
}
