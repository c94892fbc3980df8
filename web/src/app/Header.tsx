/** The header's controls: search, tasks, notices, errors, full screen, lock, look, language, and the person. */
import {
  AuditOutlined,
  BellOutlined,
  BgColorsOutlined,
  BugOutlined,
  EllipsisOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  GiftOutlined,
  GlobalOutlined,
  LockOutlined,
  LogoutOutlined,
  ScanOutlined,
  SearchOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { Avatar, Badge, Button, Dropdown, Popover, Skeleton, Tooltip } from 'antd';
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useNavigate } from 'react-router';
import { useTranslation } from '@/i18n';
import { useConfirm } from '@/kit/leaving';
import { Drawer } from '@/kit/overlays';
import { useStored } from '@/kit/useStored';
import { usePhone, useWide } from '@/kit/width';
import { useRelease } from '@/screens/shared/releases';
import { hasDrafts } from '@/session/drafts';
import { errorLog } from '@/session/errorLog';
import { hasLockPassword } from '@/session/lock';
import { unsentCount } from '@/session/net';
import { useCanOpen } from '@/session/rights';
import { useSession } from '@/session/session';
import { signOut } from '@/session/sign';
import { useCounts, useUnread } from './counts';
import { LanguageSwitch, OWN_NAMES, useOtherLanguage } from './LanguageSwitch';
import { useLockUp } from './lockUp';
import { withTexts } from './texts';

const MenuSearch = lazy(() => import('./MenuSearch'));
const LookPicker = lazy(() => import('./LookPicker'));
const ErrorLog = lazy(() => import('./ErrorLog'));
const Keys = lazy(() => withTexts('screens/shared/Keys', () => import('@/screens/shared/Keys')));
const Notices = lazy(() => import('./Notices'));
const Release = lazy(() => withTexts('screens/shared/Release', () => import('@/screens/shared/Release')));
const LockDialog = lazy(async () => ({ default: (await import('./Lock')).LockDialog }));

const TODO = '/work/todo';
const SCAN = '/equip/scan';
const MOST_ERRORS = 99;

function Todo() {
  const { t } = useTranslation();
  const { data } = useCounts();
  if (!useCanOpen(TODO)) return null;
  const count = data?.todo ?? 0;
  return (
    <Tooltip title={t('app.todo')}>
      <Link to={TODO} className="x-todo" aria-label={t('app.todoCount', { n: count })}>
        <Badge count={count} size="small">
          <AuditOutlined />
        </Badge>
      </Link>
    </Tooltip>
  );
}

function watchFullScreen(listener: () => void) {
  document.addEventListener('fullscreenchange', listener);
  return () => document.removeEventListener('fullscreenchange', listener);
}

type Open = 'search' | 'look' | 'errors' | 'lock' | 'notices' | 'keys' | 'release';

interface Control {
  key: string;
  label: string;
  icon: ReactNode;
  onClick: () => void;
}

function Icon({ label, icon, onClick }: Control) {
  return (
    <Tooltip title={label}>
      <Button type="text" icon={icon} aria-label={label} onClick={onClick} />
    </Tooltip>
  );
}

function useKeys(open: (what: Open) => void) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (target.closest('input, textarea, [contenteditable]')) return;
      if (event.key === '?') open('keys');
      if (event.key === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        open('search');
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [open]);
}

export function HeaderControls() {
  const { t } = useTranslation();
  const { other, change: changeLanguage } = useOtherLanguage();
  const wide = useWide();
  const phone = usePhone();
  const lockUp = useLockUp();
  const navigate = useNavigate();
  const scans = useCanOpen(SCAN);
  const errors = useStored(errorLog).length;
  const { data: unread = 0 } = useUnread();
  const [open, setOpen] = useState<Open>();
  const full = useSyncExternalStore(watchFullScreen, () => document.fullscreenElement !== null);
  useKeys(setOpen);
  const close = () => setOpen(undefined);
  const notices = (
    <Suspense fallback={<Skeleton active className="x-notices" />}>
      <Notices onLeave={close} />
    </Suspense>
  );
  const bell = (
    <Button
      type="text"
      aria-label={t('app.notices.label', { n: unread })}
      icon={
        <Badge count={unread} size="small">
          <BellOutlined />
        </Badge>
      }
      onClick={phone ? () => setOpen('notices') : undefined}
    />
  );

  const search = {
    key: 'search',
    label: t('app.search.label'),
    icon: <SearchOutlined />,
    onClick: () => setOpen('search'),
  };
  const more: Control[] = [
    {
      key: 'errors',
      label: t('app.errors.title'),
      icon: (
        <Badge count={errors} overflowCount={MOST_ERRORS} size="small">
          <BugOutlined />
        </Badge>
      ),
      onClick: () => setOpen('errors'),
    },
    {
      key: 'full',
      label: t(full ? 'app.fullOff' : 'app.full'),
      icon: full ? <FullscreenExitOutlined /> : <FullscreenOutlined />,
      onClick: () => (full ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
    },
    {
      key: 'lock',
      label: t('app.lock.lock'),
      icon: <LockOutlined />,
      onClick: () => (hasLockPassword() ? lockUp() : setOpen('lock')),
    },
    { key: 'look', label: t('app.look.title'), icon: <BgColorsOutlined />, onClick: () => setOpen('look') },
  ];
  const folded = [
    ...more.map(({ key, label, icon, onClick }) => ({ key, label, icon, onClick })),
    {
      key: 'language',
      icon: <GlobalOutlined />,
      label: <span lang={other}>{OWN_NAMES[other]}</span>,
      onClick: () => void changeLanguage(),
    },
  ];

  return (
    <>
      <Icon {...search} key={search.key} />
      <Todo />
      {phone && scans && (
        <Icon key="scan" label={t('app.pages.scan')} icon={<ScanOutlined />} onClick={() => navigate(SCAN)} />
      )}
      {phone ? (
        <>
          {bell}
          <Drawer
            open={open === 'notices'}
            title={t('app.notices.title')}
            placement="bottom"
            size="80dvh"
            onClose={close}
            destroyOnHidden
          >
            {notices}
          </Drawer>
        </>
      ) : (
        <Popover
          trigger="click"
          placement="bottomRight"
          open={open === 'notices'}
          onOpenChange={(shown) => setOpen(shown ? 'notices' : undefined)}
          content={notices}
          destroyOnHidden
        >
          {bell}
        </Popover>
      )}
      {wide ? (
        <>
          {more.map((control) => (
            <Icon {...control} key={control.key} />
          ))}
          <LanguageSwitch />
        </>
      ) : (
        <Dropdown menu={{ items: folded }} trigger={['click']} placement="bottomRight">
          <Button type="text" icon={<EllipsisOutlined />} aria-label={t('kit.more')} />
        </Dropdown>
      )}
      <UserMenu onRelease={() => setOpen('release')} />
      <Suspense>
        {open === 'search' && <MenuSearch onClose={close} />}
        {open === 'errors' && <ErrorLog onClose={close} />}
        {open === 'keys' && <Keys onClose={close} />}
        {open === 'release' && <Release onClose={close} />}
        {open === 'lock' && <LockDialog onClose={close} />}
        <Drawer open={open === 'look'} title={t('app.look.title')} size={360} onClose={close} destroyOnHidden>
          <LookPicker />
        </Drawer>
      </Suspense>
    </>
  );
}

function UserMenu({ onRelease }: { onRelease: () => void }) {
  const { t } = useTranslation();
  const isNew = useRelease().data?.unread === 1;
  const confirm = useConfirm();
  const session = useSession();
  const navigate = useNavigate();
  const phone = usePhone();
  if (!session) return null;
  const leave = () => {
    const count = unsentCount.get();
    confirm({
      title: t('app.signOutTitle'),
      content:
        count > 0 ? t('app.signOutUnsent', { count }) : hasDrafts() ? t('app.signOutDrafts') : undefined,
      okButtonProps: { danger: count > 0 },
      okText: t('kit.confirm'),
      cancelText: t('kit.cancel'),
      onOk: signOut,
    });
  };
  const name = session.realName || session.account;
  const items = [
    {
      key: 'who',
      type: 'group' as const,
      label: (
        <div className="x-who">
          <strong>{name}</strong>
          <span>{session.account}</span>
          <span>{session.tenantName}</span>
        </div>
      ),
    },
    { type: 'divider' as const },
    {
      key: 'info',
      icon: <UserOutlined />,
      label: t('app.pages.info'),
      onClick: () => navigate('/info/index'),
    },
    {
      key: 'release',
      icon: <GiftOutlined />,
      label: (
        <Badge dot={isNew} offset={[6, 4]}>
          {t('app.release')}
        </Badge>
      ),
      onClick: onRelease,
    },
    { key: 'out', icon: <LogoutOutlined />, label: t('app.signOut'), onClick: leave },
  ];
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <Button type="text" className="x-user" aria-label={`${name} ${t('app.userMenu')}`}>
        <Badge dot={isNew}>
          <Avatar size={26} src={session.avatar || undefined} icon={<UserOutlined />} />
        </Badge>
        {!phone && <span>{name}</span>}
      </Button>
    </Dropdown>
  );
}
