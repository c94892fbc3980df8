/** The form of a check standard, a page of its own: what it is called, and below it the items. */
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
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
import './inspect.css';

const LIST = '/inspect/config';
const FIELDS = ['configCode', 'configName', 'typeId', 'needCheck', 'needSign', 'isSealed', 'remark'] as const;

type Values = Record<(typeof FIELDS)[number], unknown> & { items: EditedItem[] };

interface Row {
  id: string;
  lockVersion: number;
  configName: string;
  versionNo: number;
  items: readonly CheckItem[];
}

export default function StandardPage() {
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
  return <StandardForm row={data as unknown as Row | undefined} />;
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

function StandardForm({ row }: { row: Row | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const label = useLabels(inspectconfig);
  const navigate = useNavigate();
  const key = useRef<[text: string, key: string]>(undefined);
  const [refused, setRefused] = useState<Record<number, ItemErrors>>({});
  const [strict, setStrict] = useState(false);
  const title = t(row ? 'inspect.standard.edit' : 'inspect.standard.add');
  useContentTitle(row ? row.configName : '');
  const handle = useRecordForm<Values>({
    initial: row
      ? ({ ...row, items: edited(row.items) } as unknown as Values)
      : ({ needCheck: 0, needSign: 0, isSealed: 0, items: [newItem()] } as unknown as Values),
    draft: { name: `${inspectconfig.name}.${row?.id ?? 'new'}`, version: row?.lockVersion },
    submit: async (values) => {
      const body = { ...values, items: toWire(values.items), id: row?.id, lockVersion: row?.lockVersion };
      const text = JSON.stringify(body);
      if (key.current?.[0] !== text) key.current = [text, randomKey()];
      try {
        return await submitRow(inspectconfig, body, key.current[1]);
      } catch (refusal) {
        setRefused(placed(refusal));
        throw refusal;
      }
    },
    invalidates: [[inspectconfig.name], ['options'], ['inspectpoint'], ['inspectgroup']],
    success: t(row ? 'kit.updated' : 'kit.added'),
    onDone: () => navigate(LIST),
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
          {FIELDS.map((name) => (
            <NounFieldControl
              key={name}
              noun={inspectconfig}
              name={name}
              label={label(name)}
              source={sourceOf(inspectconfig, name)}
            />
          ))}
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
        </RecordForm>
      </div>
      <div className="x-sticky-bar">
        <SubmitBar handle={handle} onCancel={() => navigate(LIST)} />
      </div>
    </div>
  );
}
