/** A question before what cannot be undone; it stays, with the reason, when the server refuses. Rendered while it is open. */
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n';
import { Modal } from './overlays';
import { ErrorLine } from './states';
import { useAction } from './useAction';

interface ConfirmDialogProps {
  title: string;
  /** Names the thing and the consequence. */
  children?: ReactNode;
  okText: string;
  danger?: boolean;
  run: () => Promise<unknown>;
  invalidates?: readonly (readonly unknown[])[];
  success?: string;
  /** After success; `onClose` follows by itself. */
  onDone?: () => void;
  onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, okText, danger, run, invalidates, success, onDone, onClose } = props;
  const { t } = useTranslation();
  const action = useAction({
    run,
    invalidates,
    success,
    onDone: () => {
      onClose();
      onDone?.();
    },
  });
  return (
    <Modal
      open
      centered
      width={440}
      title={title}
      okText={okText}
      okButtonProps={{ danger }}
      cancelText={t('kit.cancel')}
      confirmLoading={action.busy}
      onOk={() => action.run()}
      onCancel={onClose}
    >
      {children && <p>{children}</p>}
      <ErrorLine error={action.error} />
    </Modal>
  );
}
