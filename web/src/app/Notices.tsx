/** Mails, messages and notices, in the header's popover. */
import { useQuery } from '@tanstack/react-query';
import { Badge, Button, Empty, Skeleton, Tabs } from 'antd';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ErrorLine } from '@/kit/states';
import { useMessagePlace, useReadMessages } from '@/screens/shared/messages';
import { useCanOpen } from '@/session/rights';

const SHOWN = 20;

function Messages({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  const place = useMessagePlace();
  const { data, error } = useQuery({
    queryKey: ['messages', 'list'],
    queryFn: ({ signal }) => api.get('/blade-desk/message/list', { size: SHOWN }, signal),
  });
  const read = useReadMessages();
  if (error) return <ErrorLine error={error} />;
  if (!data) return <Skeleton active />;
  if (data.total === 0)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('app.notices.noMessages')} />;
  const unread = data.records.filter((row) => !row.isRead);
  return (
    <>
      {unread.length > 0 && (
        <Button
          className="x-notice-all"
          type="link"
          size="small"
          loading={read.busy}
          onClick={() => read.run([])}
        >
          {t('app.notices.readAll')}
        </Button>
      )}
      <ul className="x-notices">
        {data.records.map((row) => {
          const to = place(row);
          const open = () => {
            if (!row.isRead) read.run([row.id]);
            if (to) onLeave();
          };
          const words = (
            <>
              <strong>
                <Badge dot={!row.isRead} offset={[4, 4]}>
                  {row.title}
                </Badge>
              </strong>
              <span>{row.content}</span>
              <time>{row.createTime.slice(0, 16)}</time>
            </>
          );
          return (
            <li key={row.id}>
              {to ? (
                <Link to={to} onClick={open}>
                  {words}
                </Link>
              ) : (
                <button type="button" onClick={open}>
                  {words}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

function Released() {
  const { t } = useTranslation();
  const mayOpen = useCanOpen('/desk/notice');
  const [open, setOpen] = useState<string>();
  const { data, error } = useQuery({
    queryKey: ['notice', 'popover'],
    queryFn: ({ signal }) => api.get('/blade-desk/notice/list', { size: SHOWN }, signal),
  });
  if (error) return <ErrorLine error={error} />;
  if (!data) return <Skeleton active />;
  if (data.total === 0)
    return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('app.notices.noNotices')} />;
  return (
    <ul className="x-notices">
      {data.records.map((row) => (
        <li key={row.id}>
          <button
            type="button"
            aria-expanded={open === row.id}
            onClick={() => setOpen(open === row.id ? undefined : row.id)}
          >
            <strong>{row.title}</strong>
            {open === row.id && <span className="x-lines">{row.content}</span>}
            <time>
              {row.categoryName} · {row.releaseTime?.slice(0, 16)}
            </time>
          </button>
        </li>
      ))}
      {mayOpen && (
        <li className="x-notice-more">
          <Link to="/desk/notice">{t('app.notices.all')}</Link>
        </li>
      )}
    </ul>
  );
}

/** `onLeave` is called when a message leads to another page. */
export default function Notices({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation();
  return (
    <Tabs
      className="x-notice-panel"
      size="small"
      defaultActiveKey="message"
      items={[
        {
          key: 'mail',
          label: t('app.notices.mail'),
          children: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('app.notices.noMail')} />,
        },
        { key: 'message', label: t('app.notices.messages'), children: <Messages onLeave={onLeave} /> },
        { key: 'notice', label: t('app.notices.notices'), children: <Released /> },
      ]}
    />
  );
}
