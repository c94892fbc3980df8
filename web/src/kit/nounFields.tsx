/** The control of a noun's field, chosen by its kind, and controls for what refers to another noun. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input, Radio, Select, Skeleton } from 'antd';
import type { Dayjs } from 'dayjs';
import { type ComponentType, Suspense } from 'react';
import type { Noun, NounField } from '@/api/noun';
import { useLanguage, useTranslation } from '@/i18n';
import { ChoicesField, type Choice as LargeChoice, WordsField } from './choices';
import { type ChooserProps, chooserOf } from './choosers';
import {
  DateField,
  DateTimeField,
  DictField,
  Field,
  type FieldProps,
  FilesField,
  NumberField,
  PhotosField,
  type Rules,
  SwitchField,
  TextAreaField,
  TextField,
  TreeSelectField,
  usePrompt,
  VoiceField,
} from './fields';
import { labelIn } from './nounText';
import { Period } from './Period';
import { ReferenceSelect } from './ReferenceSelect';
import { type Call, type Source, sourceOf, useChoices, useTree } from './references';
import './details.css';

type Options = NonNullable<NounField['options']>;

/** What a choice means, in a few words, and how it is coloured. */
export type ChoiceHint = Pick<LargeChoice, 'hint' | 'tone'>;

/** One of a fixed set; the form's value is its key as the server has it. */
export function ChoiceField({
  options,
  buttons,
  hints,
  ...props
}: FieldProps & { options: Options; buttons?: boolean; hints?: Readonly<Record<string, ChoiceHint>> }) {
  const language = useLanguage();
  const prompt = usePrompt(props);
  const keys = new Map(options.map(([key]) => [String(key), key]));
  const offered = options.map(([key, zh, en]) => ({
    value: String(key),
    label: labelIn(language, [zh, en]),
  }));
  if (hints) {
    const large = offered.map(({ value, label }) => ({ value: Number(value), label, ...hints[value] }));
    return <ChoicesField {...props} choices={large} />;
  }
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(value) => ({
        value: value === undefined || value === null ? undefined : String(value),
      })}
      getValueFromEvent={(chosen?: string | { target: { value: string } }) => {
        const key = typeof chosen === 'object' ? chosen.target.value : chosen;
        return key === undefined ? null : keys.get(key);
      }}
    >
      {buttons ? (
        <Radio.Group optionType="button" options={offered} disabled={props.disabled} />
      ) : (
        <Select
          allowClear={!props.required}
          options={offered}
          disabled={props.disabled}
          placeholder={prompt}
        />
      )}
    </Field>
  );
}

interface ReferenceProps extends FieldProps {
  source: Source;
  /** Several rows as one comma-joined text. */
  multiple?: boolean;
  /** All rows in sight. */
  words?: boolean;
}

function WordsOf({ source, ...props }: FieldProps & { source: Source }) {
  return <WordsField {...props} joined options={useChoices(source, '', []).choices} />;
}

/** The chooser comes when it is first needed; the field hands it its value. */
function Chosen({ by: Chooser, ...props }: ChooserProps & { by: ComponentType<ChooserProps> }) {
  return (
    <Suspense fallback={<Skeleton.Input active block />}>
      <Chooser {...props} />
    </Suspense>
  );
}

/** Another noun's row, or several: found by name or code, or in the noun's tree. */
export function ReferenceField({ source, multiple, words, ...props }: ReferenceProps) {
  const prompt = usePrompt(props);
  const Chooser = multiple || words ? undefined : chooserOf(source);
  if (Chooser) {
    return (
      <Field full {...props} kind="choose">
        <Chosen by={Chooser} source={source} disabled={props.disabled} />
      </Field>
    );
  }
  if (words) return <WordsOf {...props} source={source} />;
  if (source.tree && !multiple) {
    return <TreeReferenceField {...props} path={source.tree} params={source.params} />;
  }
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(text?: string | null) => ({ value: text ? String(text) : undefined })}
      getValueFromEvent={(chosen?: string) => chosen ?? (multiple ? '' : null)}
    >
      <ReferenceSelect
        source={source}
        multiple={multiple}
        clearable={!props.required}
        disabled={props.disabled}
        placeholder={prompt}
      />
    </Field>
  );
}

/** A row of a noun that is a tree. The dialect's root `0` is shown as nothing chosen. */
export function TreeReferenceField({ path, params, ...props }: FieldProps & Call) {
  const { data, isPending } = useTree(path, params);
  return <TreeSelectField {...props} nodes={data ?? []} loading={isPending} />;
}

interface DetailsProps extends FieldProps {
  rows: NonNullable<NounField['rows']>;
  /** Fewest and most rows. */
  min?: number;
  max?: number;
}

/** Rows that are edited in the form of their head, one below the other; one can be added and taken away. */
function DetailsField({ name, label, rows, min = 0, max, disabled }: DetailsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const names = Object.keys(rows).filter((each) => rows[each]?.writable);
  return (
    <fieldset className="x-full x-details" aria-label={label}>
      <legend>{label}</legend>
      <Form.List
        name={name}
        rules={[
          {
            validator: async (_, given?: readonly unknown[]) => {
              if ((given?.length ?? 0) < min)
                throw new Error(t('kit.form.rowsAtLeast', { field: label, n: min }));
            },
          },
        ]}
      >
        {(entries, { add, remove }, { errors }) => (
          <>
            {entries.map(({ key, name: index }) => (
              <div key={key} className="x-details-row">
                {/* A row that is there already keeps its id. */}
                <Form.Item name={[index, 'id']} hidden>
                  <Input />
                </Form.Item>
                {names.map((each) => (
                  <NounFieldControl
                    key={each}
                    noun={{ fields: rows }}
                    name={each}
                    at={[index, each]}
                    label={labelIn(language, rows[each]?.label ?? [each, each])}
                    source={sourceOf({ fields: rows }, each)}
                    disabled={disabled}
                  />
                ))}
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={t('kit.form.removeRow', { n: index + 1 })}
                  disabled={disabled}
                  onClick={() => remove(index)}
                />
              </div>
            ))}
            <Form.ErrorList errors={errors} />
            <Button
              type="dashed"
              icon={<PlusOutlined />}
              disabled={disabled || (max !== undefined && entries.length >= max)}
              onClick={() => add({})}
            >
              {t('kit.form.addRow')}
            </Button>
          </>
        )}
      </Form.List>
    </fieldset>
  );
}

/** The control that fits the field, as the document describes it. */
export function NounFieldControl({
  noun,
  name,
  label,
  source,
  buttons,
  words,
  hints,
  only,
  until,
  ...rest
}: {
  noun: Pick<Noun, 'fields'>;
  name: string;
  label: string;
  source?: Source;
  rules?: Rules;
  /** All choices in sight, for the few that decide something. */
  buttons?: boolean;
  /** All rows to choose from in sight. */
  words?: boolean;
  /** By choice what it means: large ones, in sight. */
  hints?: Readonly<Record<string, ChoiceHint>>;
  /** Only these of the choices may be taken. */
  only?: readonly (string | number)[];
  /** The latest moment. */
  until?: Dayjs;
} & Partial<FieldProps>) {
  const field = noun.fields[name];
  if (!field) return null;
  const props = { name, label, required: field.required, ...rest };
  if (field.halfDays) {
    const { is, first, last } = field.halfDays;
    // The first of the three asks for the others.
    return is === 'first' ? <Period {...props} noun={noun} first={first} last={last} /> : null;
  }
  if (source && (field.kind === 'id' || field.kind === 'ids')) {
    return <ReferenceField {...props} source={source} multiple={field.kind === 'ids'} words={words} />;
  }
  if (field.options) {
    const options = only ? field.options.filter(([key]) => only.includes(key)) : field.options;
    return <ChoiceField {...props} options={options} buttons={buttons} hints={hints} />;
  }
  if (field.dict) return <DictField {...props} dict={field.dict} buttons={buttons} />;
  switch (field.kind) {
    case 'longtext':
      return <TextAreaField {...props} max={field.max} rows={6} />;
    case 'integer':
      return <NumberField {...props} min={field.min} max={field.max} />;
    case 'decimal':
      return (
        <NumberField
          {...props}
          min={field.min}
          max={field.max}
          decimals={field.decimals ?? 2}
          unit={field.unit}
        />
      );
    case 'flag':
      // It is always on or off: nothing can be missing.
      return <SwitchField {...props} required={false} />;
    case 'moment':
      return <DateTimeField {...props} until={until} />;
    case 'details':
      return <DetailsField {...props} rows={field.rows ?? {}} min={field.min} max={field.max} />;
    case 'date':
      return <DateField {...props} />;
    case 'images':
      return <PhotosField {...props} max={field.max} />;
    case 'files':
      return <FilesField {...props} max={field.max} />;
    case 'voice':
      return <VoiceField {...props} />;
    default:
      return (field.max ?? 0) > 200 ? (
        <TextAreaField {...props} min={field.min} max={field.max} />
      ) : (
        <TextField {...props} min={field.min} max={field.max} />
      );
  }
}
