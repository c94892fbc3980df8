/** The fields a form is made of: a label, a control, and the same sentences as the server's when something is missing. */
import { useQuery } from '@tanstack/react-query';
import { DatePicker, Form, Input, InputNumber, Radio, Rate, Select, Switch, TreeSelect } from 'antd';
import type { Dayjs } from 'dayjs';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from '@/i18n';
import { fromWire, toWire } from '@/lib/dates';
import { inSentence } from '@/lib/sentence';
import { type Option, useDictionary } from './dictionary';
import { FilesInput } from './FilesInput';
import { useBackCloses } from './leaving';
import { PhotosInput } from './PhotosInput';
import { keysOf, type TreeNode } from './tree';
import { useDebounced } from './useDebounced';
import { VoiceInput } from './VoiceInput';

type ItemProps = ComponentProps<typeof Form.Item>;

export type Rules = ItemProps['rules'];

/** A choice that was taken back is sent as null; one that was never made is not sent at all. */
const clearable = {
  getValueProps: (value: unknown) => ({ value: value ?? undefined }),
  getValueFromEvent: (value: unknown) => value ?? null,
};

export interface FieldProps {
  /** The name on the wire. */
  name: string;
  /** Where the value stands in the form, when it is not simply under its name: in a row of a list. */
  at?: (string | number)[];
  label: string;
  required?: boolean;
  /** A line under the control. */
  hint?: ReactNode;
  /** Both columns. */
  full?: boolean;
  disabled?: boolean;
  placeholder?: string;
  /** Said instead of the general sentence when the value is missing or too short. */
  message?: string;
}

interface FieldItemProps
  extends FieldProps,
    Pick<ItemProps, 'getValueFromEvent' | 'getValueProps' | 'valuePropName'> {
  /** Typed or chosen: decides the sentence when it is missing. */
  kind: 'enter' | 'choose';
  /** Of the value, where it is not a text or an entry: an empty list counts as missing. */
  valueType?: 'number' | 'array' | 'object';
  rules?: ItemProps['rules'];
  children: ReactNode;
}

/** Label, rules and place of any control; use it for a control that is not in this file. */
export function Field({
  kind,
  full,
  hint,
  required,
  valueType,
  rules = [],
  children,
  ...item
}: FieldItemProps) {
  const { t } = useTranslation();
  const general = t(kind === 'enter' ? 'kit.form.enter' : 'kit.form.choose', {
    field: inSentence(item.label),
  });
  // Without a type a rule that has more than these two keys is one for texts, which any other value would fail.
  const shape = valueType ? { type: valueType } : kind === 'enter' ? { whitespace: true } : {};
  const missing = { required, message: item.message ?? general, ...shape };
  return (
    <Form.Item
      name={item.at ?? item.name}
      label={item.label}
      className={full ? 'x-full' : undefined}
      extra={hint}
      rules={required ? [missing, ...rules] : rules}
      getValueFromEvent={item.getValueFromEvent}
      getValueProps={item.getValueProps}
      valuePropName={item.valuePropName}
    >
      {children}
    </Form.Item>
  );
}

/** An empty choice says that it is one; without words it would look like a field to type in. */
export function usePrompt({ placeholder, disabled }: FieldProps): string | undefined {
  const { t } = useTranslation();
  return placeholder ?? (disabled ? undefined : t('kit.form.pick'));
}

interface TextProps extends FieldProps {
  rules?: ItemProps['rules'];
  /** Most and least characters. */
  max?: number;
  min?: number;
}

function useLengthRules({ label, max, min, message, rules = [] }: TextProps): ItemProps['rules'] {
  const { t } = useTranslation();
  return [
    ...rules,
    ...(max ? [{ max, message: t('kit.form.tooLong', { field: label, count: max }) }] : []),
    ...(min ? [{ min, message: message ?? t('kit.form.tooShort', { field: label, count: min }) }] : []),
  ];
}

export function TextField(props: TextProps) {
  return (
    <Field {...props} kind="enter" rules={useLengthRules(props)}>
      <Input disabled={props.disabled} placeholder={props.placeholder} autoComplete="off" />
    </Field>
  );
}

export function TextAreaField({ rows = 3, ...props }: TextProps & { rows?: number }) {
  return (
    <Field full {...props} kind="enter" rules={useLengthRules(props)}>
      <Input.TextArea
        disabled={props.disabled}
        placeholder={props.placeholder}
        autoSize={{ minRows: rows, maxRows: rows * 3 }}
      />
    </Field>
  );
}

interface NumberProps extends FieldProps {
  min?: number;
  max?: number;
  decimals?: number;
  unit?: string;
}

/** A number outside its bounds is told, not silently moved to the nearest one that fits. */
export function NumberField({ min, max, decimals = 0, unit, ...props }: NumberProps) {
  const { t } = useTranslation();
  const field = props.label;
  const outside =
    min !== undefined && max !== undefined
      ? t('kit.form.between', { field, a: min, b: max })
      : t(min !== undefined ? 'kit.form.atLeast' : 'kit.form.atMost', { field, n: min ?? max });
  const bounded = min !== undefined || max !== undefined;
  return (
    <Field
      {...props}
      kind="enter"
      valueType="number"
      rules={bounded ? [{ type: 'number', min, max, message: outside }] : []}
    >
      <InputNumber
        disabled={props.disabled}
        placeholder={props.placeholder}
        precision={decimals}
        suffix={unit}
        inputMode="decimal"
      />
    </Field>
  );
}

/** Several ids are one text on the wire. */
export const joint = {
  getValueProps: (text?: string | null) => ({ value: text ? text.split(',') : [] }),
  getValueFromEvent: (chosen: string[]) => chosen.join(','),
};

interface SelectProps extends FieldProps {
  options: Option[];
  multiple?: boolean;
  /** Of several, the form's value is one text. */
  joined?: boolean;
  loading?: boolean;
}

interface RadioProps extends FieldProps {
  options: Option[];
}

/** One of a few, all of them in sight. */
export function RadioField({ options, ...props }: RadioProps) {
  return (
    <Field {...props} kind="choose">
      <Radio.Group options={options} disabled={props.disabled} />
    </Field>
  );
}

export function SelectField({ options, multiple, joined, loading, ...props }: SelectProps) {
  const prompt = usePrompt(props);
  return (
    <Field {...props} {...(joined ? joint : clearable)} kind="choose">
      <Select
        allowClear={!props.required}
        showSearch={options.length > 8 ? { optionFilterProp: 'label' } : false}
        mode={multiple ? 'multiple' : undefined}
        options={options}
        loading={loading}
        disabled={props.disabled}
        placeholder={prompt}
      />
    </Field>
  );
}

interface DictProps extends FieldProps {
  dict: string;
  /** Only these entries are offered. */
  only?: readonly number[];
  /** All entries in sight, for the few that decide something. */
  buttons?: boolean;
}

/** An entry of a dictionary; the form's value is its number. */
export function DictField({ dict, only, buttons, ...props }: DictProps) {
  const prompt = usePrompt(props);
  const { options } = useDictionary(dict);
  const offered = only ? options.filter((option) => only.includes(Number(option.value))) : options;
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(value) => ({
        value: value === undefined || value === null ? undefined : String(value),
      })}
      getValueFromEvent={(chosen: string | { target: { value: string } } | undefined) => {
        const key = typeof chosen === 'object' ? chosen.target.value : chosen;
        return key === undefined ? null : Number(key);
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

const LEVELS_OPEN = 2;

interface TreeProps extends FieldProps {
  nodes: readonly TreeNode[];
  loading?: boolean;
}

export function TreeSelectField({ nodes, loading, ...props }: TreeProps) {
  const prompt = usePrompt(props);
  return (
    <Field {...props} {...clearable} kind="choose">
      <TreeSelect
        allowClear={!props.required}
        treeData={nodes as TreeNode[]}
        fieldNames={{ label: 'label', value: 'key', children: 'children' }}
        showSearch={{ treeNodeFilterProp: 'label' }}
        treeExpandAction={nodes.some((node) => node.selectable === false) ? 'click' : false}
        // What to unfold is decided once: not before the nodes are there.
        key={loading ? 'waiting' : 'ready'}
        treeDefaultExpandedKeys={keysOf(nodes, LEVELS_OPEN)}
        loading={loading}
        disabled={props.disabled || loading}
        placeholder={prompt}
        listHeight={320}
      />
    </Field>
  );
}

export interface RemoteOption extends Option {
  /** A second line: department, load. */
  hint?: string;
}

interface RemoteProps extends FieldProps {
  /** Names the source for the cache, with everything it depends on. */
  source: readonly unknown[];
  load: (keyword: string, signal: AbortSignal) => Promise<RemoteOption[]>;
  /** The server filters by keyword; otherwise the list comes whole and is filtered here. */
  remote?: boolean;
  /** The option of the value that is there at first. */
  current?: Option;
}

/** A person, or anything else that is fetched to choose from. */
export function RemoteSelectField({ source, load, remote = false, current, ...props }: RemoteProps) {
  const prompt = usePrompt(props);
  const [keyword, setKeyword] = useState('');
  const asked = useDebounced(remote ? keyword : '');
  const { data, isFetching } = useQuery({
    queryKey: [...source, 'options', asked],
    queryFn: ({ signal }) => load(asked, signal),
    placeholderData: (previous) => previous,
  });
  const found = data ?? [];
  const missing = current && !found.some((option) => option.value === current.value);
  return (
    <Field {...props} {...clearable} kind="choose">
      <Select<string, RemoteOption>
        allowClear={!props.required}
        showSearch={{
          filterOption: remote
            ? false
            : (text, option) =>
                `${option?.label} ${option?.hint ?? ''}`.toLowerCase().includes(text.toLowerCase()),
          onSearch: setKeyword,
        }}
        options={missing ? [current, ...found] : found}
        optionRender={({ data: option }) => (
          <>
            {option.label}
            {option.hint && <div className="x-hint">{option.hint}</div>}
          </>
        )}
        loading={isFetching}
        disabled={props.disabled}
        placeholder={prompt}
      />
    </Field>
  );
}

/** A calendar that Back closes: on a phone it lies over the page. */
export function useCalendar() {
  const [open, onOpenChange] = useState(false);
  useBackCloses(open, () => onOpenChange(false));
  return { open, onOpenChange };
}

/** A moment; the form's value is the wire's text. */
export function DateTimeField({
  until,
  ...props
}: FieldProps & { until?: Dayjs; rules?: ItemProps['rules'] }) {
  const prompt = usePrompt(props);
  const calendar = useCalendar();
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(value?: string) => ({ value: fromWire(value) })}
      getValueFromEvent={(value: Dayjs | null) => toWire(value) ?? null}
    >
      <DatePicker
        {...calendar}
        showTime={{ format: 'HH:mm' }}
        format="YYYY-MM-DD HH:mm"
        maxDate={until}
        disabled={props.disabled}
        placeholder={prompt}
        inputReadOnly
      />
    </Field>
  );
}

/** A day; the form's value is the wire's text. */
export function DateField(props: FieldProps) {
  const prompt = usePrompt(props);
  const calendar = useCalendar();
  return (
    <Field
      {...props}
      kind="choose"
      getValueProps={(value?: string) => ({ value: fromWire(value) })}
      getValueFromEvent={(value: Dayjs | null) => value?.format('YYYY-MM-DD') ?? null}
    >
      <DatePicker {...calendar} disabled={props.disabled} placeholder={prompt} inputReadOnly />
    </Field>
  );
}

/** 0 or 1. */
export function SwitchField(props: FieldProps) {
  return (
    <Field
      {...props}
      kind="choose"
      valuePropName="checked"
      getValueProps={(value) => ({ checked: value === 1 })}
      getValueFromEvent={(checked: boolean) => (checked ? 1 : 0)}
    >
      <Switch disabled={props.disabled} />
    </Field>
  );
}

/** One to five stars. */
export function ScoreField(props: FieldProps) {
  return (
    <Field {...props} kind="choose">
      <Rate disabled={props.disabled} />
    </Field>
  );
}

/** Pictures; the form's value is the list of their links. */
export function PhotosField({ max = 9, ...props }: FieldProps & { max?: number }) {
  return (
    <Field full {...props} kind="choose" valueType="array">
      <PhotosInput max={max} disabled={props.disabled} />
    </Field>
  );
}

/** Documents and pictures; the form's value is the list of their links. */
export function FilesField({ max = 9, ...props }: FieldProps & { max?: number }) {
  return (
    <Field full {...props} kind="choose" valueType="array">
      <FilesInput max={max} disabled={props.disabled} />
    </Field>
  );
}

/** One recording of up to a minute; the form's value is its link. */
export function VoiceField(props: FieldProps) {
  return (
    <Field full {...props} kind="choose">
      <VoiceInput disabled={props.disabled} />
    </Field>
  );
}
