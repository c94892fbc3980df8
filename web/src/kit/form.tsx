/** The form behind every drawer and form page: one submit, server errors under their fields, and a question before changes are lost. */
import { Button, Form, type FormInstance } from 'antd';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  useContext,
  useId,
  useRef,
  useState,
} from 'react';
import { ApiError } from '@/api/client';
import { useTranslation } from '@/i18n';
import { type DraftHandle, type DraftOptions, FoundDraft, KeepDraft, restored, useDraft } from './draft';
import { useDiscard, useUnsaved } from './leaving';
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
  /** What is entered is of no worth by itself: leaving asks nothing. */
  kept?: boolean;
  /** What is entered is kept in this browser until it is sent. */
  draft?: DraftOptions;
}

export interface RecordFormHandle<Values> {
  id: string;
  form: FormInstance<Values>;
  initial?: Partial<Values>;
  action: Action<Values>;
  /** The refusal, unless it is told under its fields. */
  told: unknown;
  draft: DraftHandle | undefined;
  /** What a person has changed since the beginning, by field. */
  changes: () => Record<string, unknown>;
  uploading: boolean;
  countUploads: (change: 1 | -1) => void;
  /** Runs `go` at once, or after a yes to the question when something was changed. */
  leave: (go: () => void) => void;
}

const comparable = (value: unknown) => JSON.stringify(value, (_, part) => (part === '' ? undefined : part));

export function useRecordForm<Values extends object, Result = unknown>(
  options: RecordFormOptions<Values, Result>,
): RecordFormHandle<Values> {
  const [form] = Form.useForm<Values>();
  const [uploads, setUploads] = useState(0);
  const saved = useRef(false);
  const draft = useDraft(options.draft);
  const id = useId();

  const action = useAction<Values, Result>({
    ...options,
    run: async (values) => {
      try {
        const result = await options.submit(values);
        // From here on nothing is unsaved, so that `onDone` may close or navigate without being asked.
        saved.current = true;
        draft?.drop();
        return result;
      } catch (refusal) {
        throw placed(form, refusal);
      }
    },
  });

  const changes = () => {
    // What a form fills in by itself is nobody's work.
    if (options.kept || saved.current || !(form.isFieldsTouched() || draft?.found)) return {};
    const initial: Partial<Values> = options.initial ?? {};
    const differing = Object.entries(form.getFieldsValue()).filter(
      ([name, value]) => comparable([initial[name as keyof Values] ?? '']) !== comparable([value ?? '']),
    );
    return Object.fromEntries(differing.map(([name, value]) => [name, value ?? null]));
  };
  const changed = () => Object.keys(changes()).length > 0;

  const discard = useDiscard();
  const leave = (go: () => void) => {
    if (!changed() || (draft?.stays && draft.isKept())) {
      go();
      return;
    }
    discard(() => {
      draft?.drop();
      go();
    });
  };

  useUnsaved(() => changed() && !draft?.isKept());

  return {
    id,
    form,
    initial: options.initial,
    action,
    told: action.error instanceof Placed ? undefined : action.error,
    draft,
    changes,
    uploading: uploads > 0,
    countUploads: (change) => setUploads((count) => count + change),
    leave,
  };
}

/** Puts the sentences under the fields they belong to; what is left over, if anything, stays with the bar. */
function placed<Values>(form: FormInstance<Values>, refusal: unknown): unknown {
  if (!(refusal instanceof ApiError)) return refusal;
  const values = form.getFieldsValue() as Readonly<Record<string, unknown>>;
  const entries = Object.entries(refusal.fields).map(([name, text]) => [pathOf(name, values), text] as const);
  const here = entries.filter(([path]) => path[0] in values);
  const first = here[0];
  if (!first) return refusal;
  type Name = Parameters<FormInstance<Values>['scrollToField']>[0];
  form.setFields(
    here.map(([name, text]) => ({ name: [...name], errors: [text] })) as Parameters<typeof form.setFields>[0],
  );
  form.scrollToField([...first[0]] as Name, { focus: true });
  return here.length === entries.length ? new Placed(refusal) : refusal;
}

/** Where the field of an error stands in the form: one of an extra field is called `ext.<key>`. */
function pathOf(name: string, values: Readonly<Record<string, unknown>>): readonly [string, ...string[]] {
  const [holder = '', key = ''] = name.split('.');
  const held = values[holder];
  return key && typeof held === 'object' && held !== null && key in held ? [holder, key] : [name];
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
  const { draft } = handle;
  const { values: begun, over } = restored(draft);
  const discard = () => {
    draft?.drop();
    const initial = (handle.initial ?? {}) as Readonly<Record<string, unknown>>;
    const names = Object.keys({ ...handle.form.getFieldsValue(true), ...begun });
    handle.form.setFieldsValue(
      Object.fromEntries(names.map((name) => [name, initial[name]])) as Parameters<
        typeof handle.form.setFieldsValue
      >[0],
    );
  };
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
        initialValues={{ ...handle.initial, ...begun }}
        scrollToFirstError={{ focus: true }}
        onFinish={(values) => {
          if (!handle.uploading) handle.action.run(values);
        }}
        onKeyDown={onKeyDown}
        disabled={handle.action.busy}
      >
        {draft?.found && (
          <FoundDraft draft={draft.found} over={over} version={draft.version} onDiscard={discard} />
        )}
        {draft && <KeepDraft form={handle.form} changes={handle.changes} draft={draft} />}
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
