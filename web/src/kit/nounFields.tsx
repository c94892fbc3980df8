/** The control of a noun's field, chosen by its kind, and controls for what refers to another noun. */
import { Select } from 'antd';
import type { Noun, NounField } from '@/api/noun';
import { useLanguage } from '@/i18n';
import {
  DateTimeField,
  DictField,
  Field,
  type FieldProps,
  NumberField,
  PhotosField,
  SelectField,
  SwitchField,
  TextAreaField,
  TextField,
  TreeSelectField,
  usePrompt,
} from './fields';
import { labelIn } from './nounText';
import { type Call, type Source, useOptions, useTree } from './references';

type Options = NonNullable<NounField['options']>;

/** One of a fixed set; the form's value is its key as the server has it. */
export function ChoiceField({ options, ...props }: FieldProps & { options: Options }) {
  const language = useLanguage();
  const prompt = usePrompt(props);
  const keys = new Map(options.map(([key]) => [String(key), key]));
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(value) => ({
        value: value === undefined || value === null ? undefined : String(value),
      })}
      getValueFromEvent={(chosen?: string) => (chosen === undefined ? null : keys.get(chosen))}
    >
      <Select
        allowClear={!props.required}
        options={options.map(([key, zh, en]) => ({ value: String(key), label: labelIn(language, [zh, en]) }))}
        disabled={props.disabled}
        placeholder={prompt}
      />
    </Field>
  );
}

interface ReferenceProps extends FieldProps, Call {
  /** The row's property that is stored, and the one that is shown. */
  value?: string;
  label: string;
  shown: string;
  multiple?: boolean;
}

/** Another noun's row, or several as one comma-joined text. */
export function ReferenceField({ path, params, value, shown, multiple, ...props }: ReferenceProps) {
  const { data, isPending } = useOptions({ path, params, value, label: shown });
  const prompt = usePrompt(props);
  if (!multiple) return <SelectField {...props} options={data ?? []} loading={isPending} />;
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(text?: string) => ({ value: text ? String(text).split(',') : [] })}
      getValueFromEvent={(chosen: string[]) => chosen.join(',')}
    >
      <Select
        mode="multiple"
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        options={data ?? []}
        loading={isPending}
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

/** A row to choose from a source of either shape. */
export function SourceField({
  source,
  multiple,
  ...props
}: FieldProps & { source: Source; multiple?: boolean }) {
  if ('tree' in source) return <TreeReferenceField {...props} path={source.tree} params={source.params} />;
  return <ReferenceField {...props} {...source} multiple={multiple} />;
}

/** The control that fits the field; an id needs to know what it refers to. */
export function NounFieldControl({
  noun,
  name,
  label,
  source,
  ...rest
}: { noun: Noun; name: string; label: string; source?: Source } & Partial<FieldProps>) {
  const field = noun.fields[name];
  if (!field) return null;
  const props = { name, label, required: field.required, ...rest };
  if (source && (field.kind === 'id' || field.kind === 'ids')) {
    return <SourceField {...props} source={source} multiple={field.kind === 'ids'} />;
  }
  if (field.options) return <ChoiceField {...props} options={field.options} />;
  if (field.dict) return <DictField {...props} dict={field.dict} />;
  switch (field.kind) {
    case 'longtext':
      return <TextAreaField {...props} max={field.max} rows={6} />;
    case 'integer':
      return <NumberField {...props} min={field.min} max={field.max} />;
    case 'decimal':
      return <NumberField {...props} min={field.min} max={field.max} decimals={2} />;
    case 'flag':
      // It is always on or off: nothing can be missing.
      return <SwitchField {...props} required={false} />;
    case 'moment':
      return <DateTimeField {...props} />;
    case 'images':
      return <PhotosField {...props} />;
    default:
      return (field.max ?? 0) > 200 ? (
        <TextAreaField {...props} max={field.max} />
      ) : (
        <TextField {...props} max={field.max} />
      );
  }
}
