/** The form behind every drawer and form page: one submit, server errors under their fields, and a question before changes are lost. */
import { App, Button, Form, type FormInstance } from 'antd';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { useBlocker } from 'react-router';
import { ApiError } from '@/api/client';
import { useTranslation } from '@/i18n';
import { ErrorLine } from './states';
import { type Action, useAction } from './useAction';
import { usePhone, useWide } from './width';

/** Lets a field hold the submit back while it is still sending something. */
const Uploads = createContext<(change: 1 | -1) => void>(() => undefined);

export function useUploads(): (change: 1 | -1) => void {
  return useContext(Uploads);
}

interface RecordFormOptions<Values, Result> {
  /** What the fields hold at first; read once, when the form appears. */
  initial?: Partial<Values>;
  submit: (values: Values) => Promise<Result>;
  invalidates?: readonly (readonly unknown[])[];
  /** Said briefly when success cannot be seen on the page. */
  success?: string;
  onDone?: (result: Result) => void | Promise<void>;
  /** What is entered is kept as a draft: leaving loses nothing and asks nothing. */
  kept?: boolean;
}

export interface RecordFormHandle<Values> {
  id: string;
  form: FormInstance<Values>;
  initial?: Partial<Values>;
  action: Action<Values>;
  /** The refusal, unless it is told under its fields. */
  told: unknown;
  /** Whether anything differs from the beginning. */
  changed: () => boolean;
  uploading: boolean;
  countUploads: (change: 1 | -1) => void;
  /** Runs `go` at once, or after a yes to the question when something was changed. */
  leave: (go: () => void) => void;
}

const comparable = (value: unknown) => JSON.stringify(value, (_, part) => (part === '' ? undefined : part));

export function useRecordForm<Values extends object, Result = unknown>(
  options: RecordFormOptions<Values, Result>,
): RecordFormHandle<Values> {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  const [form] = Form.useForm<Values>();
  const [uploads, setUploads] = useState(0);
  const saved = useRef(false);
  const id = useId();

  const action = useAction<Values, Result>({
    ...options,
    run: async (values) => {
      try {
        const result = await options.submit(values);
        // From here on nothing is unsaved, so that `onDone` may close or navigate without being asked.
        saved.current = true;
        return result;
      } catch (refusal) {
        throw placed(form, refusal);
      }
    },
  });

  const changed = () => {
    if (options.kept || saved.current || !form.isFieldsTouched()) return false;
    const initial: Partial<Values> = options.initial ?? {};
    const before = Object.keys(form.getFieldsValue()).map((name) => [
      name,
      initial[name as keyof Values] ?? '',
    ]);
    const now = Object.entries(form.getFieldsValue()).map(([name, value]) => [name, value ?? '']);
    return comparable(before) !== comparable(now);
  };

  const ask = useCallback(
    (yes: () => void, no?: () => void) =>
      modal.confirm({
        title: t('kit.form.discard'),
        content: t('kit.form.discardHint'),
        okText: t('kit.form.discardYes'),
        okButtonProps: { danger: true },
        cancelText: t('kit.form.stay'),
        onOk: yes,
        onCancel: no,
      }),
    [modal, t],
  );

  const leave = (go: () => void) => {
    if (changed()) ask(go);
    else go();
  };

  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    return currentLocation.pathname !== nextLocation.pathname && changed();
  });
  useEffect(() => {
    if (blocker.state === 'blocked') ask(blocker.proceed, blocker.reset);
  }, [blocker, ask]);

  return {
    id,
    form,
    initial: options.initial,
    action,
    told: action.error instanceof Placed ? undefined : action.error,
    changed,
    uploading: uploads > 0,
    countUploads: (change) => setUploads((count) => count + change),
    leave,
  };
}

/** Puts the sentences under the fields they belong to; what is left over, if anything, stays with the bar. */
function placed<Values>(form: FormInstance<Values>, refusal: unknown): unknown {
  if (!(refusal instanceof ApiError)) return refusal;
  const known = new Set(Object.keys(form.getFieldsValue() as object));
  const entries = Object.entries(refusal.fields);
  const here = entries.filter(([name]) => known.has(name));
  const first = here[0];
  if (!first) return refusal;
  type Name = Parameters<FormInstance<Values>['scrollToField']>[0];
  form.setFields(
    here.map(([name, text]) => ({ name, errors: [text] })) as Parameters<typeof form.setFields>[0],
  );
  form.scrollToField(first[0] as Name, { focus: true });
  return here.length === entries.length ? new Placed(refusal) : refusal;
}

/** A refusal that is already told under its fields. */
class Placed extends Error {
  constructor(readonly cause: ApiError) {
    super(cause.msg);
  }
}

interface RecordFormProps<Values> {
  handle: RecordFormHandle<Values>;
  /** What will happen, above the fields. */
  note?: ReactNode;
  /** One column also where there is room for two. */
  narrow?: boolean;
  children: ReactNode;
}

export function RecordForm<Values extends object>({
  handle,
  note,
  narrow,
  children,
}: RecordFormProps<Values>) {
  const wide = useWide();
  const phone = usePhone();
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) handle.form.submit();
  };
  return (
    <Uploads value={handle.countUploads}>
      <Form<Values>
        id={handle.id}
        name={handle.id}
        form={handle.form}
        layout="vertical"
        size={phone ? 'large' : undefined}
        className={wide && !narrow ? 'x-form x-form-two' : 'x-form'}
        initialValues={handle.initial as Record<string, unknown>}
        scrollToFirstError={{ focus: true }}
        onFinish={(values) => {
          if (!handle.uploading) handle.action.run(values);
        }}
        onKeyDown={onKeyDown}
        disabled={handle.action.busy}
      >
        {note && <p className="x-form-note">{note}</p>}
        {children}
      </Form>
    </Uploads>
  );
}

interface SubmitBarProps<Values> {
  handle: RecordFormHandle<Values>;
  submitText?: string;
  danger?: boolean;
  onCancel?: () => void;
  onConflict?: () => void;
  /** Further buttons, before the main action. */
  extra?: ReactNode;
}

/** The bar under a form: what was refused, then cancel and the main action at the right. */
export function SubmitBar<Values>(props: SubmitBarProps<Values>) {
  const { handle, submitText, danger, onCancel, onConflict } = props;
  const { t } = useTranslation();
  const { action, uploading } = handle;
  return (
    <div className="x-bar">
      {handle.told ? (
        <div className="x-bar-error">
          <ErrorLine error={handle.told} onConflict={onConflict} />
        </div>
      ) : null}
      {onCancel && <Button onClick={() => handle.leave(onCancel)}>{t('kit.cancel')}</Button>}
      {props.extra}
      <Button
        type="primary"
        danger={danger}
        htmlType="submit"
        form={handle.id}
        loading={action.busy}
        disabled={uploading}
      >
        {uploading ? t('kit.form.uploading') : (submitText ?? t('kit.save'))}
      </Button>
    </div>
  );
}

/** A heading over the fields that follow. */
export function FieldGroup({ title }: { title: string }) {
  return <h2 className="x-group">{title}</h2>;
}
