/** The form of a standard, a page of its own: what it is called, and below it the items. */
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { ApiError } from '@/api/client';
import { readRow, submitRow } from '@/api/nounCalls';
import { inspectconfig } from '@/api/nouns/inspectconfig';
import { useLanguage, useTranslation } from '@/i18n';
import { useContentTitle } from '@/kit/contentTitle';
import { Field } from '@/kit/fields';
import { RecordForm, SubmitBar, useRecordForm } from '@/kit/form';
import { NounFieldControl } from '@/kit/nounFields';
import { useLabels } from '@/kit/nounText';
import { sourceOf } from '@/kit/references';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { randomKey } from '@/lib/random';
import { ItemsEditor } from './ItemsEditor';
import { type CheckItem, type EditedItem, edited, errorsOf, type ItemErrors, newItem, toWire } from './items';
import './standards.css';

type Values = Record<string, unknown> & { items: EditedItem[] };

export interface StandardRow {
  id: string;
  lockVersion: number;
  configName: string;
  versionNo: number;
  items: readonly CheckItem[];
}

/** What the form of one kind of standard has. */
export interface StandardKind {
  /** The list that one comes from and goes back to. */
  list: string;
  title: (isNew: boolean) => string;
  /** What a new one begins with, and what is sent with each. */
  initial: Readonly<Record<string, unknown>>;
  fields: ReactNode;
  /** More below the items. */
  more?: ReactNode;
  /** Query keys that a change puts out of date. */
  touches: readonly (readonly string[])[];
}

export function PlainStandardField({ name, hint }: { name: string; hint?: string }) {
  const label = useLabels(inspectconfig);
  return (
    <NounFieldControl
      noun={inspectconfig}
      name={name}
      label={label(name)}
      hint={hint}
      source={sourceOf(inspectconfig, name)}
    />
  );
}

export function StandardPage(kind: StandardKind) {
  const { id } = useParams();
  const { data, error, refetch } = useQuery({
    queryKey: [inspectconfig.name, 'detail', id],
    queryFn: ({ signal }) => readRow(inspectconfig, { id }, signal),
    enabled: id !== undefined,
    // The form must begin with what is there now.
    staleTime: 0,
    gcTime: 0,
  });
  if (error && !data) return <ErrorState error={error} retry={refetch} />;
  if (id && !data) return <PageSkeleton rows={10} />;
  return <StandardForm row={data as unknown as StandardRow | undefined} kind={kind} />;
}

/** What the server said of single items, by their places: `items.3.lower` is of the fourth one. */
function placed(refusal: unknown): Record<number, ItemErrors> {
  if (!(refusal instanceof ApiError)) return {};
  const found: Record<number, ItemErrors> = {};
  for (const [name, text] of Object.entries(refusal.fields)) {
    const [, place, field] = /^items\.(\d+)\.(\w+)/.exec(name) ?? [];
    if (place && field) found[Number(place)] = { ...found[Number(place)], [field]: text };
  }
  return found;
}

function StandardForm({ row, kind }: { row: StandardRow | undefined; kind: StandardKind }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const label = useLabels(inspectconfig);
  const navigate = useNavigate();
  const key = useRef<[text: string, key: string]>(undefined);
  const [refused, setRefused] = useState<Record<number, ItemErrors>>({});
  const [strict, setStrict] = useState(false);
  const title = kind.title(!row);
  useContentTitle(row ? row.configName : '');
  const handle = useRecordForm<Values>({
    initial: row
      ? ({ ...row, items: edited(row.items) } as unknown as Values)
      : ({ ...kind.initial, items: [newItem()] } as unknown as Values),
    draft: { name: `${inspectconfig.name}.${row?.id ?? `new${kind.list}`}`, version: row?.lockVersion },
    submit: async (values) => {
      const { configType } = kind.initial;
      const items = toWire(values.items);
      const body = { ...values, configType, items, id: row?.id, lockVersion: row?.lockVersion };
      const text = JSON.stringify(body);
      if (key.current?.[0] !== text) key.current = [text, randomKey()];
      try {
        return await submitRow(inspectconfig, body, key.current[1]);
      } catch (refusal) {
        setRefused(placed(refusal));
        throw refusal;
      }
    },
    invalidates: [[inspectconfig.name], ['options'], ...kind.touches],
    success: t(row ? 'kit.updated' : 'kit.added'),
    onDone: () => navigate(kind.list),
  });
  const checked = async (_: unknown, items: readonly EditedItem[] = []) => {
    setRefused({});
    if (items.length === 0) throw new Error(t('inspect.item.needed'));
    const wrong = items.filter(
      (item, place) => Object.keys(errorsOf(item, items.slice(0, place), t, language)).length > 0,
    );
    if (wrong.length === 0) return;
    setStrict(true);
    throw new Error(t('inspect.item.wrongCount', { count: wrong.length }));
  };
  return (
    <div className="x-standard">
      <div className="x-head">
        <h1>{title}</h1>
        {row && <span className="x-quiet">{t('inspect.standard.version', { n: row.versionNo })}</span>}
      </div>
      <div className="x-panel x-standard-form">
        <RecordForm
          handle={handle}
          note={row ? t('inspect.standard.versionNote', { n: row.versionNo + 1 }) : undefined}
        >
          {kind.fields}
          <h2 className="x-group">{label('items')}</h2>
          <Field
            name="items"
            label=""
            kind="choose"
            valueType="array"
            full
            rules={[{ validator: checked, validateTrigger: 'onSubmit' }]}
          >
            <ItemsEditor refused={refused} strict={strict} disabled={handle.action.busy} />
          </Field>
          {kind.more}
        </RecordForm>
      </div>
      <div className="x-sticky-bar">
        <SubmitBar handle={handle} onCancel={() => navigate(kind.list)} />
      </div>
    </div>
  );
}
