/** What every page of a noun does beside listing: its form, its detail, its removal, and its spreadsheets. */
import { DeleteOutlined, DownloadOutlined, PlusOutlined, UploadOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { App, Button, type FormInstance } from 'antd';
import { Fragment, type ReactNode, useRef, useState } from 'react';
import { type To, useLocation, useNavigate, useSearchParams } from 'react-router';
import type { Params } from '@/api/calls';
import { ApiError } from '@/api/client';
import type { ColumnKey, Noun, ReadKey, RowOf, WritableKey } from '@/api/noun';
import { exportRows, readRow, removeRows, submitRow } from '@/api/nounCalls';
import { useLanguage, useTranslation } from '@/i18n';
import { randomKey } from '@/lib/random';
import { save } from '@/lib/save';
import { inSentence } from '@/lib/sentence';
import { useEntry, useRights } from '@/session/rights';
import { type Change, ChangedDialog, type Values } from './ChangedDialog';
import { ConfirmDialog } from './ConfirmDialog';
import { DetailDrawer } from './DetailDrawer';
import { ExtraControls } from './ExtraControls';
import { extraFacts, fromParts, useExtras, withParts } from './extras';
import { type Fact, Facts } from './Facts';
import { FormDrawer } from './FormDrawer';
import type { FieldProps } from './fields';
import { FieldGroup } from './form';
import { ImportDialog } from './ImportDialog';
import { NounFieldControl } from './nounFields';
import { labelIn, shownName, useLabels } from './nounText';
import { isWide, shownValue } from './nounValue';
import type { RowAction } from './ResourceList';
import { type PlainKey, sourceOf } from './references';
import { exportLater, isForLater, SHEETS } from './sheetJobs';
import { useAction } from './useAction';
import { usePhone } from './width';

/** A field by its name, with what differs from the usual; a heading; or a control of one's own. */
export type FormEntry<N extends Noun> =
  | PlainKey<N>
  | ({ key: PlainKey<N> } & FormChange)
  | ({
      key: WritableKey<N>;
      /** `row` is what the form began with, where it is not a new one. */
      control: (props: FieldProps, form: FormInstance<Values>, row: RowOf<N> | undefined) => ReactNode;
    } & FormChange)
  | { group: string };

type FormChange = Partial<Omit<FieldProps, 'name'>> & {
  /** Only in the form of a new row, or only in that of one that exists. */
  on?: 'add' | 'edit';
  /** Readable, but not to be changed once the row exists. */
  locked?: boolean;
};

export interface NounOptions<N extends Noun> {
  noun: N;
  /** What one row is called, where the page shows some of the noun's rows alone. */
  title?: string;
  /** The field that names a row. */
  name: ColumnKey<N>;
  /** All that may be sent, in the noun's order, unless the screen says otherwise. */
  form?: readonly FormEntry<N>[];
  /** How values are shown, in cells, on cards and in the detail, where their text alone would not be understood. */
  show?: { readonly [K in ReadKey<N>]?: (row: RowOf<N>) => ReactNode };
  /** Fields of the detail beside those of the form; all that can be read where the screen names neither. */
  detail?: readonly ReadKey<N>[];
  /** Fields of the detail that people look for first: they stand above those of the form. */
  lead?: readonly ReadKey<N>[];
  /** The detail leaves out when the row was made and changed: the row says it itself. */
  untimed?: boolean;
  /** What a new row begins with. */
  initial?: Values;
  /** From a row to the form's values, and from these to what is sent. */
  toForm?: (row: RowOf<N>) => Values;
  toWire?: (values: Values, id: string | undefined) => Values;
  /** Sent with every call, such as the tenant looked at. */
  fixed?: Params;
  /** Width of the form; 720 unless the specification says otherwise. */
  width?: number;
  /** Query keys that a change puts out of date, beside the noun's own. */
  touches?: readonly (readonly unknown[])[];
  rowActions?: (row: RowOf<N>) => readonly RowAction[];
  /** How a row is called where its name alone could mean another one: in the confirm of a removal. */
  called?: (row: RowOf<N>) => string;
  /** The screen has a form of its own for new rows, and says where it is opened. */
  ownAdd?: boolean;
  /** Rows that nobody removes are offered for it nowhere. */
  mayBeRemoved?: (row: RowOf<N>) => boolean;
  /** Said in the confirm of a removal, beside the row's name. */
  removeHint?: string;
  /** Shows what the server answered to a new row, such as a password that is seen only once. */
  onAdded?: (answer: unknown, values: Values) => void;
  /** The same for rows that came in by a sheet. */
  onImported?: (answer: unknown) => void;
  /** More below the facts of the detail. */
  extra?: (row: RowOf<N>) => ReactNode;
}

type Open =
  | { kind: 'form'; id?: string; initial?: Values }
  | { kind: 'detail'; id: string }
  | { kind: 'import' };

/** Names, in the address, the row whose detail is open when the page is entered. */
const SHOWN = 'show';

export interface NounControl<N extends Noun> {
  /** What one of it is called. */
  title: string;
  /** What several of it are called. */
  plural: string;
  /** What the page is called: as in the menu. */
  heading: string;
  label: (name: string) => string;
  can: (call: string) => boolean;
  openForm: (row?: RowOf<N>, initial?: Values) => void;
  openDetail: (row: RowOf<N>) => void;
  /** Where the detail is opened in a tab or window of its own. */
  addressOf: (row: RowOf<N>) => To;
  rowActions: (row: RowOf<N>) => readonly RowAction[];
  remove: (rows: readonly RowOf<N>[]) => void;
  mayBeRemoved: (row: RowOf<N>) => boolean;
  /** Whether rows are made here at all, by whoever may. */
  mayBeAdded: boolean;
  /** The first step where there is nothing yet. */
  addButton: ReactNode;
  /** Add, import, export. */
  headActions: (params: Params) => ReactNode;
  /** Whatever is open now. */
  dialogs: ReactNode;
}

export function useNoun<N extends Noun>(options: NounOptions<N>): NounControl<N> {
  type Row = RowOf<N>;
  const { noun, fixed } = options;
  const { t, i18n } = useTranslation();
  const label = useLabels(noun);
  const holds = useRights();
  const phone = usePhone();
  const [params, setParams] = useSearchParams();
  const entered = noun.calls.includes('detail') ? params.get(SHOWN) : null;
  const [open, setOpen] = useState<Open | undefined>(entered ? { kind: 'detail', id: entered } : undefined);
  const close = () => {
    setOpen(undefined);
    if (!entered) return;
    setParams(
      (previous) => {
        const next = new URLSearchParams(previous);
        next.delete(SHOWN);
        return next;
      },
      { replace: true },
    );
  };
  const addressOf = (row: Row): To => {
    const there = new URLSearchParams(params);
    there.set(SHOWN, row.id);
    return { search: `?${there}` };
  };
  const [doomed, setDoomed] = useState<readonly Row[]>();
  const title = options.title ?? noun.title[i18n.language === 'zh-CN' ? 0 : 1];
  const heading = useEntry(useLocation().pathname)?.name ?? title;
  const touched = [[noun.name], ['tree'], ['options'], ...(options.touches ?? [])];
  const can = (call: string) => {
    const code = noun.codes[call];
    return code !== undefined && (code === '*' || holds(code));
  };
  const nameOf = (row: Row) => String((row as Values)[options.name] ?? '');
  const openForm = (row?: Row, initial?: Values) => setOpen({ kind: 'form', id: row?.id, initial });
  const openDetail = (row: Row) => setOpen({ kind: 'detail', id: row.id });

  const mayBeRemoved = (row: Row) => options.mayBeRemoved?.(row) ?? true;

  // What is done often comes first, what destroys last.
  const rowActions = (row: Row): RowAction[] => [
    ...(can('submit') ? [{ key: 'edit', label: t('kit.edit'), onClick: () => openForm(row) }] : []),
    ...(options.rowActions?.(row) ?? []),
    ...(can('remove') && mayBeRemoved(row)
      ? [{ key: 'delete', label: t('kit.delete'), danger: true, onClick: () => setDoomed([row]) }]
      : []),
  ];

  const dialogs = (
    <>
      {open?.kind === 'form' && (
        <NounForm
          {...options}
          key={open.id ?? 'new'}
          id={open.id}
          given={open.initial}
          title={title}
          label={label}
          touched={touched}
          onClose={close}
        />
      )}
      {open?.kind === 'detail' && (
        <NounDetail
          {...options}
          id={open.id}
          label={label}
          nameOf={nameOf}
          onClose={close}
          actions={(row) => rowActions(row)}
        />
      )}
      {open?.kind === 'import' && (
        <ImportDialog
          noun={noun}
          title={t('kit.sheet.importTitle', { name: inSentence(title) })}
          params={fixed}
          mayChange={can('submit')}
          onDone={options.onImported}
          invalidates={touched}
          onClose={close}
        />
      )}
      {doomed && (
        <ConfirmDialog
          title={t('kit.deleteConfirm')}
          okText={t('kit.delete')}
          danger
          run={() =>
            removeRows(
              noun,
              doomed.map((row) => row.id),
              fixed,
            )
          }
          invalidates={touched}
          success={t('kit.deleted')}
          onDone={close}
          onClose={() => setDoomed(undefined)}
        >
          {doomed
            .slice(0, 5)
            .map(options.called ?? nameOf)
            .join(' · ')}
          {doomed.length > 5 && t('kit.list.andMore', { n: doomed.length })}
          {options.removeHint && (
            <>
              <br />
              {options.removeHint}
            </>
          )}
        </ConfirmDialog>
      )}
    </>
  );

  const addButton = !options.ownAdd && (can('add') || can('save')) && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => openForm()}>
      {t('kit.add')}
    </Button>
  );
  // Nobody works with sheets on a phone.
  const hasSheet = (call: string) => !phone && noun.calls.includes(call) && can(call);
  const headActions = (params: Params) => (
    <>
      {hasSheet('export') && <ExportButton noun={noun} params={params} />}
      {hasSheet('import') && (
        <Button icon={<UploadOutlined />} onClick={() => setOpen({ kind: 'import' })}>
          {t('kit.sheet.import')}
        </Button>
      )}
      {addButton}
    </>
  );

  return {
    title,
    // Chinese nouns have no plural; the English menu's entries are one.
    plural: i18n.language === 'zh-CN' ? title : heading,
    heading,
    label,
    can,
    openForm,
    openDetail,
    addressOf,
    rowActions,
    remove: setDoomed,
    mayBeRemoved,
    mayBeAdded: noun.calls.includes('submit') || noun.calls.includes('save'),
    addButton,
    headActions,
    dialogs,
  };
}

/** The bulk bar's removal; with nothing chosen it says so. */
export function RemoveButton({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  return (
    <Button
      danger
      icon={<DeleteOutlined />}
      onClick={() => (count === 0 ? message.warning(t('kit.list.chooseOne')) : onClick())}
    >
      {t('kit.delete')}
    </Button>
  );
}

/** The rows of a list as it is filtered, as a spreadsheet. */
export function ExportButton({ noun, params }: { noun: Noun; params: Params }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const navigate = useNavigate();
  const later = async () => {
    try {
      await exportLater(noun, params);
      const link = (
        <Button type="link" size="small" onClick={() => navigate(SHEETS)}>
          {t('kit.sheet.laterLink')}
        </Button>
      );
      message.success({
        content: (
          <>
            {t('kit.sheet.later')} {link}
          </>
        ),
        duration: 8,
      });
    } catch (error) {
      message.error(error instanceof Error ? error.message : t('kit.error.unknown'));
    }
  };
  const action = useAction({
    run: async () => {
      try {
        save(await exportRows(noun, params));
      } catch (error) {
        if (isForLater(error)) return later();
        message.error(error instanceof Error ? error.message : t('kit.error.unknown'));
      }
    },
  });
  return (
    <Button icon={<DownloadOutlined />} loading={action.busy} onClick={() => action.run()}>
      {t('kit.sheet.export')}
    </Button>
  );
}

function useRow<N extends Noun>(noun: N, id: string | undefined, fixed: Params | undefined) {
  return useQuery({
    queryKey: [noun.name, 'detail', id],
    queryFn: ({ signal }) => readRow(noun, { ...fixed, id }, signal),
    enabled: id !== undefined,
    // The form must begin with what is there now.
    staleTime: 0,
    gcTime: 0,
  });
}

/** All that may be sent and has a control of its own. */
function writable<N extends Noun>(noun: N): FormEntry<N>[] {
  const isTyped = (name: string) =>
    !['id', 'ids', 'version', 'json', 'list'].includes(noun.fields[name]?.kind ?? '') || sourceOf(noun, name);
  return Object.keys(noun.fields).filter(
    (name) => noun.fields[name]?.writable && isTyped(name),
  ) as FormEntry<N>[];
}

/** All that a detail can tell: what refers to a row by its name, and no marks of the record itself. */
function readable<N extends Noun>(noun: N): ReadKey<N>[] {
  const isTold = (name: string) =>
    !['id', 'ids', 'version', 'json'].includes(noun.fields[shownName(noun, name)]?.kind ?? '');
  return Object.keys(noun.fields).filter(isTold) as ReadKey<N>[];
}

/** The fields of a form, in its order. */
function namesIn<N extends Noun>(form: readonly FormEntry<N>[]): string[] {
  return form.flatMap((entry) => (typeof entry === 'string' ? [entry] : 'key' in entry ? [entry.key] : []));
}

/** `show` by names that are not known beforehand. */
export type Shows = Readonly<Record<string, ((row: object) => ReactNode) | undefined>>;

/** The same fields by the headings over them; what stands before the first heading has none. */
function groupsOf<N extends Noun>(form: readonly FormEntry<N>[]): { title: string; names: string[] }[] {
  const groups: { title: string; names: string[] }[] = [{ title: '', names: [] }];
  for (const entry of form) {
    if (typeof entry === 'object' && 'group' in entry) groups.push({ title: entry.group, names: [] });
    else groups.at(-1)?.names.push(...namesIn([entry]));
  }
  return groups.filter(({ names }, index) => names.length > 0 || (index === 0 && groups.length === 1));
}

/** In a bar the main action stands at the right and the dangerous one apart at the left. */
function inBar(actions: readonly RowAction[]): RowAction[] {
  const rest = actions.filter((action) => !action.danger).reverse();
  return [...actions.filter((action) => action.danger), ...rest];
}

/** What a new row has where nobody says otherwise. */
function initialOf(noun: Noun, names: readonly string[]): Values {
  const known = names.filter((name) => noun.fields[name]?.initial !== undefined);
  return Object.fromEntries(known.map((name) => [name, noun.fields[name]?.initial]));
}

interface FormProps<N extends Noun> extends NounOptions<N> {
  id?: string;
  given?: Values;
  title: string;
  label: (name: string) => string;
  touched: readonly (readonly unknown[])[];
  onClose: () => void;
}

/** More characters than these have the line of a detail for themselves. */
const LONG = 60;

/** So many fields are soon filled in again. */
const FEW = 3;

function NounForm<N extends Noun>(props: FormProps<N>) {
  const { noun, id, form = writable(noun), fixed, toForm, toWire, label } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const extras = useExtras(noun);
  const { data, error, refetch, isFetching } = useRow(noun, id, fixed);
  // One key for one opened form: a second try of the same input is answered with what the first one did.
  const key = useRef<[text: string, key: string]>(undefined);
  const [change, setChange] = useState<Change & { mine: Values }>();
  // The row that the change is made from: as it was read, or as somebody else has saved it meanwhile.
  const [base, setBase] = useState<Values>();
  const from = base ?? (data as Values | undefined);
  const asked = form.filter((entry) => {
    const on = typeof entry === 'object' && 'on' in entry ? entry.on : undefined;
    return on === undefined || on === (id ? 'edit' : 'add');
  });
  const names = namesIn(asked);
  const valuesOf = (row: Values): Values => {
    const values = (toForm?.(row as RowOf<N>) ?? row) as Values;
    return Object.fromEntries(
      names.map((name) => [
        name,
        noun.fields[name]?.kind === 'id' && values[name] === '0' ? null : values[name],
      ]),
    );
  };
  const secret = names.filter((name) => noun.fields[name]?.writeOnly);
  const initial = data
    ? valuesOf(data as Values)
    : { ...initialOf(noun, names), ...props.initial, ...props.given };

  return (
    <FormDrawer<Values>
      title={t(id ? 'kit.noun.edit' : 'kit.noun.add', { name: inSentence(props.title) })}
      width={props.width}
      loading={(id !== undefined && (!data || (isFetching && !data))) || !extras.arrived}
      loadError={data ? undefined : error}
      retry={refetch}
      initial={initial}
      draft={
        names.length > FEW
          ? {
              name: `${noun.name}.${id ?? 'new'}`,
              without: secret,
              version: from?.lockVersion as number | undefined,
            }
          : undefined
      }
      submit={async (entered) => {
        const sent = { ...entered, ...fixed, id };
        const body = { ...(toWire ? toWire(sent, id) : sent), lockVersion: from?.lockVersion };
        const text = JSON.stringify(body);
        if (key.current?.[0] !== text) key.current = [text, randomKey()];
        const answer = await submitRow(noun, body, key.current[1]).catch((refusal: unknown) => {
          if (refusal instanceof ApiError && refusal.error === 'data.changed')
            setChange({ ...(refusal.data as Change), mine: entered });
          throw refusal;
        });
        if (!id) props.onAdded?.(answer, entered);
        return answer;
      }}
      invalidates={props.touched}
      success={t(id ? 'kit.updated' : 'kit.added')}
      onClose={props.onClose}
    >
      {(fields) => (
        <>
          {change && from && (
            <ChangedDialog
              noun={{ ...noun, fields: { ...noun.fields, ...extras.fields } }}
              label={(part) => labelIn(language, extras.fields[part]?.label ?? [label(part), label(part)])}
              change={change}
              before={from}
              read={withParts(valuesOf(from), extras.fields)}
              theirs={withParts(valuesOf(change.row), extras.fields)}
              mine={withParts(change.mine, extras.fields)}
              onMerge={(taken) => {
                fields.setFieldsValue(fromParts(taken, extras.fields));
                setBase(change.row);
                setChange(undefined);
              }}
              onClose={() => setChange(undefined)}
            />
          )}
          {asked.map((entry) => {
            if (entry === extras.name) return <ExtraControls key={entry} about={noun} />;
            if (typeof entry === 'string') {
              const source = sourceOf(noun, entry, fixed);
              return (
                <NounFieldControl key={entry} noun={noun} name={entry} label={label(entry)} source={source} />
              );
            }
            if ('group' in entry) return <FieldGroup key={entry.group} title={entry.group} />;
            const { key: name, on: _, locked, ...change } = entry;
            const field = {
              label: label(name),
              required: noun.fields[name]?.required,
              disabled: locked && id !== undefined,
              ...change,
              name,
            };
            if ('control' in field) {
              const { control, ...rest } = field;
              return <Fragment key={name}>{control(rest, fields, data)}</Fragment>;
            }
            return (
              <NounFieldControl key={name} noun={noun} source={sourceOf(noun, name, fixed)} {...field} />
            );
          })}
        </>
      )}
    </FormDrawer>
  );
}

interface DetailProps<N extends Noun> extends NounOptions<N> {
  id: string;
  label: (name: string) => string;
  nameOf: (row: RowOf<N>) => string;
  actions: (row: RowOf<N>) => readonly RowAction[];
  onClose: () => void;
}

function NounDetail<N extends Noun>(props: DetailProps<N>) {
  const { noun, id, form = writable(noun), fixed, label, nameOf, onClose } = props;
  const detail = props.detail ?? (props.form ? [] : readable(noun));
  const { data, error, refetch } = useRow(noun, id, fixed);
  const { t } = useTranslation();
  const show = props.show as Shows | undefined;
  const language = useLanguage();
  const extras = useExtras(noun);
  const title = data ? nameOf(data) : '';
  const known = new Set<string>([props.name]);
  /** The facts of some fields, each told once in the whole detail. */
  const factsOf = (names: readonly string[]): Fact[] =>
    names
      .filter((name) => noun.fields[name] && !noun.fields[name]?.writeOnly)
      .map((name) => shownName(noun, name))
      .filter((name) => !known.has(name) && known.add(name))
      .filter((name) => name !== extras.name)
      .map((name) => {
        const field = noun.fields[name];
        const value = data && (show?.[name]?.(data) ?? shownValue(noun, name, data));
        return {
          label: label(name),
          value: field?.kind === 'longtext' ? <span className="x-lines">{value}</span> : value,
          full: isWide(field) || (typeof value === 'string' && value.length > LONG),
        };
      })
      // It stands above them already: the title is the name in the reader's language.
      .filter(({ value }) => props.name !== 'title' || value !== title);
  const lead = factsOf(props.lead ?? []);
  const groups = groupsOf(form).map(({ title, names }) => ({ title, facts: factsOf(names) }));
  if (data && extras.name)
    groups.push({ title: label(extras.name), facts: extraFacts(extras.fields, data, language, true) });
  const others = factsOf([...detail, ...(props.untimed ? [] : ['createTime', 'updateTime'])]);
  if (groups.length === 1) groups[0]?.facts.push(...others);
  else groups.push({ title: t('kit.noun.others'), facts: others });
  groups.unshift({ title: '', facts: lead });
  const actions = data ? props.actions(data) : [];
  return (
    <DetailDrawer
      title={(data && show?.[props.name]?.(data)) ?? title}
      loading={!data}
      error={data ? undefined : error}
      retry={refetch}
      onClose={onClose}
      actions={
        actions.length > 0 &&
        inBar(actions).map((action, index, all) => (
          <Button
            key={action.key}
            danger={action.danger}
            className={action.danger ? 'x-bar-apart' : undefined}
            type={index === all.length - 1 && !action.danger ? 'primary' : undefined}
            onClick={action.onClick}
          >
            {action.label}
          </Button>
        ))
      }
    >
      {data && (
        <>
          {groups
            .filter(({ facts }) => facts.length > 0)
            .map(({ title, facts }) => (
              <section key={facts[0]?.label} className="x-fact-group">
                {title && <h2>{title}</h2>}
                <Facts items={facts} />
              </section>
            ))}
          {props.extra?.(data)}
        </>
      )}
    </DetailDrawer>
  );
}
