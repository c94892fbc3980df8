/** What waits to be sent: a bar below the header with its number, and the list with states, reasons, and what one can do. */
import { CloudUploadOutlined } from '@ant-design/icons';
import { Alert, Button } from 'antd';
import dayjs from 'dayjs';
import { useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useConfirm } from '@/kit/leaving';
import { Drawer } from '@/kit/overlays';
import { ToneTag } from '@/kit/StateTag';
import { EmptyState } from '@/kit/states';
import { useUnsent } from '@/kit/unsent';
import { useAction } from '@/kit/useAction';
import { MINUTE } from '@/lib/dates';
import { net } from '@/session/net';
import { discard, flushNow, retry, type Unsent } from '@/session/offline';

/** Refusals after which nothing that was entered can still be taken. */
const FINAL = new Set<string>(['inspectorder.pointDone', 'inspectorder.tooLate']);

export default function UnsentBar({ count }: { count: number }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const { items } = useUnsent();
  const refused = items.filter(({ state }) => state === 'refused').length;
  return (
    <>
      <button type="button" className="x-unsent-bar" onClick={() => setOpen(true)}>
        <CloudUploadOutlined />
        <span>
          {t('unsent.count', { count })}
          {refused > 0 && ` · ${t('unsent.refusedCount', { count: refused })}`}
        </span>
        <span>{t('unsent.open')}</span>
      </button>
      {open && <UnsentDrawer items={items} onClose={() => setOpen(false)} />}
    </>
  );
}

function UnsentDrawer({ items, onClose }: { items: readonly Unsent[]; onClose: () => void }) {
  const { t } = useTranslation();
  const isDown = useSyncExternalStore(net.listen, net.isDown);
  const send = useAction({ run: flushNow });
  const shut = new Set<string>();
  const isHeld = ({ state, chain }: Unsent) => {
    if (chain && state === 'refused') shut.add(chain);
    return chain !== undefined && state === 'waiting' && shut.has(chain);
  };
  return (
    <Drawer
      open
      title={t('unsent.title')}
      placement="right"
      size={480}
      onClose={onClose}
      footer={
        items.some(({ state }) => state === 'waiting') && (
          <div className="x-bar">
            <Button type="primary" loading={send.busy} onClick={() => send.run()}>
              {t('unsent.send')}
            </Button>
          </div>
        )
      }
    >
      {isDown && <Alert type="warning" showIcon title={t('unsent.offline')} />}
      {items.length === 0 && <EmptyState title={t('unsent.none')} hint={t('unsent.noneHint')} />}
      <ul className="x-unsent">
        {items.map((item) => (
          <Row key={item.id} item={item} isHeld={isHeld(item)} onLeave={onClose} />
        ))}
      </ul>
    </Drawer>
  );
}

interface RowProps {
  item: Unsent;
  isHeld: boolean;
  onLeave: () => void;
}

function Row({ item, isHeld, onLeave }: RowProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const confirm = useConfirm();
  const again = useAction({ run: () => retry(item.id) });
  const isRefused = item.state === 'refused';
  const mayRetry = isRefused && !FINAL.has(item.refusal?.error ?? '');
  const orders = (item.asks as Wire<'LikelyDuplicate'> | undefined)?.orders ?? [];
  const reason = item.refusal && [item.refusal.msg, ...Object.values(item.refusal.fields)];
  const remove = () =>
    confirm({
      title: t('unsent.discardTitle', { title: item.title }),
      content: t('unsent.discardText'),
      okText: t('unsent.discard'),
      okButtonProps: { danger: true },
      cancelText: t('kit.cancel'),
      onOk: () => discard(item.id),
    });
  return (
    <li>
      <div className="x-unsent-head">
        <strong>{item.title}</strong>
        <ToneTag tone={isRefused ? 'bad' : 'waiting'}>
          {t(isRefused ? 'unsent.refused' : 'unsent.waiting')}
        </ToneTag>
      </div>
      <div className="x-quiet">
        {[
          t(`unsent.kind.${item.kind}`),
          item.group,
          t('unsent.entered', { time: dayjs(item.at).format(MINUTE) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </div>
      {isHeld && <div className="x-quiet">{t('unsent.held')}</div>}
      {reason && <div className="x-unsent-reason">{[...new Set(reason)].join(' ')}</div>}
      {item.asks !== undefined && (
        <div className="x-unsent-reason">
          {t('unsent.duplicate', { number: orders.map(({ orderNo }) => orderNo).join(', ') })}
        </div>
      )}
      <div className="x-unsent-acts">
        <Button onClick={remove}>{t('unsent.discard')}</Button>
        {mayRetry && (
          <Button loading={again.busy} onClick={() => again.run()}>
            {t(item.asks === undefined ? 'unsent.retry' : 'unsent.anyway')}
          </Button>
        )}
        {mayRetry && item.kind !== 'start' && item.asks === undefined && (
          <Button
            type="primary"
            onClick={() => {
              onLeave();
              navigate(item.page);
            }}
          >
            {t('unsent.correct')}
          </Button>
        )}
      </div>
    </li>
  );
}
