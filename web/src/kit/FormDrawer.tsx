/** A form in a drawer. The screen renders it while it is open, so that every opening begins afresh. */
import { type ReactNode, useEffect } from 'react';
import type { DraftOptions } from './draft';
import { RecordForm, type RecordFormHandle, SubmitBar, useRecordForm } from './form';
import { Drawer } from './overlays';
import { ErrorState, PageSkeleton } from './states';
import { useOpener } from './useOpener';
import { usePhone } from './width';

interface FormDrawerProps<Values, Result> {
  title: string;
  /** Large: a record, two columns where there is room. Small: an act with a few fields, from below on phones. */
  size?: 'large' | 'small';
  width?: number;
  /** What will happen, above the fields. */
  note?: ReactNode;
  /** The record to edit while it is being fetched; the form appears once `loading` is false. */
  loading?: boolean;
  loadError?: unknown;
  retry?: () => void;
  initial?: Partial<Values>;
  draft?: DraftOptions;
  submit: (values: Values) => Promise<Result>;
  submitText?: string;
  danger?: boolean;
  invalidates?: readonly (readonly unknown[])[];
  success?: string;
  /** After success; `onClose` follows by itself. */
  onDone?: (result: Result) => void | Promise<void>;
  /** Leaves the form for the record as it is now, after somebody else was faster. */
  onConflict?: () => void;
  onClose: () => void;
  /** The fields, or a function of the form for fields that depend on each other. */
  children: ReactNode | ((form: RecordFormHandle<Values>['form']) => ReactNode);
}

/** The first field that one can type or choose in. */
const FIRST =
  'input:not([disabled], [readonly], [type=file]), input[role=combobox]:not([disabled]), textarea:not([disabled])';

/** Puts the focus there once, as soon as the form is there. Not on a phone, whose keyboard would cover the form. */
function FirstField({ form }: { form: string }) {
  useEffect(() => {
    // The drawer is hung into the page only after its content's effects.
    const frame = requestAnimationFrame(() => {
      document.getElementById(form)?.querySelector<HTMLElement>(FIRST)?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [form]);
  return null;
}

export function FormDrawer<Values extends object, Result = unknown>(props: FormDrawerProps<Values, Result>) {
  const { size = 'large', onClose, children } = props;
  const phone = usePhone();
  useOpener();
  const handle = useRecordForm<Values, Result>({
    ...props,
    onDone: (result) => {
      onClose();
      return props.onDone?.(result);
    },
  });
  const below = phone && size === 'small';
  const ready = !props.loading && !props.loadError;
  return (
    <Drawer
      open
      title={props.title}
      placement={below ? 'bottom' : 'right'}
      size={below ? 'auto' : phone ? '100%' : (props.width ?? (size === 'small' ? 480 : 720))}
      styles={{ section: below ? { maxHeight: '92dvh' } : {} }}
      onClose={() => handle.leave(onClose)}
      // The first field takes it.
      autoFocus={!ready}
      footer={
        ready && (
          <SubmitBar
            handle={handle}
            submitText={props.submitText}
            danger={props.danger}
            onCancel={onClose}
            onConflict={props.onConflict}
          />
        )
      }
    >
      {props.loading && <PageSkeleton />}
      {Boolean(props.loadError) && <ErrorState error={props.loadError} retry={props.retry ?? onClose} />}
      {ready && (
        <RecordForm handle={handle} note={props.note} narrow={size === 'small'}>
          {typeof children === 'function' ? children(handle.form) : children}
          {!phone && <FirstField form={handle.id} />}
        </RecordForm>
      )}
    </Drawer>
  );
}
