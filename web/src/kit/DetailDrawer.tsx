/** A thing to look at in a drawer: its name and state, its facts, and what can be done with it. */
import type { ReactNode } from 'react';
import { Drawer } from './overlays';
import { ErrorState, PageSkeleton } from './states';
import { useOpener } from './useOpener';
import { usePhone } from './width';

interface DetailDrawerProps {
  title: ReactNode;
  state?: ReactNode;
  loading?: boolean;
  error?: unknown;
  retry?: () => void;
  /** Buttons, the main one last. */
  actions?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

export function DetailDrawer({
  title,
  state,
  loading,
  error,
  retry,
  actions,
  onClose,
  children,
}: DetailDrawerProps) {
  const phone = usePhone();
  useOpener();
  let body = children;
  if (error) body = <ErrorState error={error} retry={retry ?? onClose} />;
  else if (loading) body = <PageSkeleton />;
  return (
    <Drawer
      open
      title={title}
      extra={state}
      size={phone ? '100%' : 560}
      onClose={onClose}
      footer={actions && <div className="x-bar">{actions}</div>}
    >
      {body}
    </Drawer>
  );
}
