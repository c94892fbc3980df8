/** Drawers and dialogs that Back closes; apart from the guard, so that the sign-in page does not load them. */
import { Drawer as AntdDrawer, Modal as AntdModal } from 'antd';
import type { ComponentProps } from 'react';
import { useBackCloses } from './leaving';

/** A drawer that Back closes. */
export function Drawer(props: ComponentProps<typeof AntdDrawer>) {
  // Back is neither a click nor a key: nobody who closes a drawer looks at the event.
  const { onClose } = props as { onClose?: (event?: unknown) => void };
  useBackCloses(props.open, () => onClose?.());
  return <AntdDrawer {...props} />;
}

/** A dialog that Back closes. */
export function Modal(props: ComponentProps<typeof AntdModal>) {
  const { onCancel } = props as { onCancel?: (event?: unknown) => void };
  useBackCloses(props.open, () => onCancel?.());
  return <AntdModal {...props} />;
}
