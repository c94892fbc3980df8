/** A drawn form as fields of our own: same look, same sentences, both languages, whatever tool drew it. */
import { Checkbox, DatePicker, Form, Input, InputNumber, Radio, Select, TimePicker } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import type { ReactNode } from 'react';
import { useLanguage, useTranslation } from '@/i18n';
import { WordsField } from '@/kit/choices';
import { FilesInput } from '@/kit/FilesInput';
import { DateTimeField, Field, SelectField, TextAreaField } from '@/kit/fields';
import { FieldGroup } from '@/kit/form';
import { ReferenceField } from '@/kit/nounFields';
import { PhotosInput } from '@/kit/PhotosInput';
import { ShownValue } from './ShownValue';
import {
  type InputComponent,
  isLocked,
  isLong,
  mostFiles,
  optionsOf,
  type Schema,
  SOURCES,
  type Texts,
  textOf,
  type Values,
} from './schema';
import { TableField } from './TableField';
import { TriedFiles, useTried } from './TriedFiles';

/** Characters of a line and of a text for which the schema names no length; the server's own limits. */
const MAX_LINE = 200;
const MAX_TEXT = 2000;
const EMAIL = /^[^@\s]{1,64}@[^@\s]{1,100}\.[A-Za-z]{2,20}$/;
const PHONE = /^1[3-9][0-9]{9}$/;
const DAY = 'YYYY-MM-DD';
const TIME = 'HH:mm';

interface DrawnFieldsProps {
  schema: Schema;
  /** What the fields that are only shown hold. */
  known: Values;
  /** What ids and links among them are called. */
  texts?: Texts;
}

export function DrawnFields({ schema, known, texts = {} }: DrawnFieldsProps) {
  const language = useLanguage();
  return schema.components.map((component, index) => {
    const place = component.key ?? component.id ?? index;
    if (component.key !== undefined) {
      const input = component as InputComponent;
      return isLocked(input) ? (
        <LockedField key={place} component={input} value={known[input.key]} texts={texts} />
      ) : (
        <DrawnField key={place} component={input} />
      );
    }
    switch (component.type) {
      case 'group':
        return (
          <Group key={place} title={textOf(component, 'label', language)}>
            <DrawnFields schema={{ components: component.components ?? [] }} known={known} texts={texts} />
          </Group>
        );
      case 'text':
        return (
          <p key={place} className="x-form-note x-text">
            {textOf(component, 'text', language)}
          </p>
        );
      case 'separator':
        return <hr key={place} className="x-drawn-line" />;
      case 'spacer':
        return <div key={place} className="x-drawn-space" style={{ height: component.height ?? 16 }} />;
      default:
        return null;
    }
  });
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      {title && <FieldGroup title={title} />}
      {children}
    </>
  );
}

interface LockedProps {
  component: InputComponent;
  value: unknown;
  texts: Texts;
}

function LockedField({ component, value, texts }: LockedProps) {
  const language = useLanguage();
  return (
    <Form.Item
      label={textOf(component, 'label', language)}
      className={isLong(component) ? 'x-full' : undefined}
    >
      <div className="x-drawn-value">
        <ShownValue component={component} value={value ?? component.defaultValue} texts={texts} />
      </div>
    </Form.Item>
  );
}

/** `at`: where the value stands in the form, of a column in a row. */
function DrawnField({ component, at }: { component: InputComponent; at?: [number, string] }) {
  const language = useLanguage();
  const common = {
    name: component.key,
    at,
    label: textOf(component, 'label', language),
    hint: textOf(component, 'description', language) || undefined,
    required: component.validate?.required,
  };
  const options = optionsOf(component, language);
  const source = SOURCES[component.type];
  if (source) return <ReferenceField {...common} source={source} />;
  switch (component.type) {
    case 'filepicker':
      return <FilesField component={component} common={common} />;
    case 'xw-table':
      return (
        <TableField
          component={component}
          label={common.label}
          hint={common.hint}
          cell={(column, place) => <DrawnField key={column.key} component={column} at={place} />}
        />
      );
    case 'textarea': {
      const { minLength, maxLength = MAX_TEXT } = component.validate ?? {};
      return <TextAreaField {...common} min={minLength} max={maxLength} />;
    }
    case 'number':
      return <NumberInput component={component} common={common} />;
    case 'checkbox':
      return <BoxInput common={common} />;
    case 'radio':
      return (
        <Field {...common} kind="choose">
          <Radio.Group options={options} />
        </Field>
      );
    case 'select':
      return <SelectField {...common} options={options} />;
    case 'checklist':
      return <WordsField {...common} options={options} />;
    case 'taglist':
      return <TagsInput common={common} options={options} />;
    case 'datetime':
      return <MomentInput component={component} common={common} />;
    default:
      return <LineInput component={component} common={common} />;
  }
}

interface Common {
  name: string;
  at?: [number, string];
  label: string;
  hint?: string;
  required?: boolean;
}

interface InputProps {
  component: InputComponent;
  common: Common;
}

function LineInput({ component, common }: InputProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const {
    pattern,
    patternErrorMessage,
    validationType,
    minLength,
    maxLength = MAX_LINE,
  } = component.validate ?? {};
  const field = common.label;
  const general = t('work.form.format', { field });
  const english = language === 'en-US' && component.properties?.patternErrorMessageEn;
  const shape = validationType === 'email' ? EMAIL : validationType === 'phone' ? PHONE : undefined;
  const { prefixAdorner, suffixAdorner } = component.appearance ?? {};
  return (
    <Field
      {...common}
      kind="enter"
      rules={[
        { max: maxLength, message: t('kit.form.tooLong', { field, count: maxLength }) },
        ...(minLength
          ? [{ min: minLength, message: t('kit.form.tooShort', { field, count: minLength }) }]
          : []),
        ...(shape ? [{ pattern: shape, message: general }] : []),
        ...(pattern
          ? [{ pattern: new RegExp(pattern), message: english || patternErrorMessage || general }]
          : []),
      ]}
    >
      <Input prefix={prefixAdorner} suffix={suffixAdorner} autoComplete="off" />
    </Field>
  );
}

/** Decimals and steps are told, not rounded away. */
function NumberInput({ component, common }: InputProps) {
  const { t } = useTranslation();
  const field = common.label;
  const { min, max } = component.validate ?? {};
  const { decimalDigits, increment } = component;
  const outside =
    min !== undefined && max !== undefined
      ? t('kit.form.between', { field, a: min, b: max })
      : t(min !== undefined ? 'kit.form.atLeast' : 'kit.form.atMost', { field, n: min ?? max });
  const fault = (value: number): string | undefined => {
    if ((min !== undefined && value < min) || (max !== undefined && value > max)) return outside;
    if (decimalDigits !== undefined && Number(value.toFixed(decimalDigits)) !== value)
      return decimalDigits === 0
        ? t('work.form.whole', { field })
        : t('work.form.decimals', { field, count: decimalDigits });
    // 0.3 is a multiple of 0.1, though not for the machine.
    if (increment !== undefined && Math.abs(value / increment - Math.round(value / increment)) > 1e-9)
      return t('work.form.multiple', { field, n: increment });
    return undefined;
  };
  const validator = (_rule: unknown, value: unknown) => {
    const text = typeof value === 'number' ? fault(value) : undefined;
    return text ? Promise.reject(new Error(text)) : Promise.resolve();
  };
  const { prefixAdorner, suffixAdorner } = component.appearance ?? {};
  return (
    <Field {...common} kind="enter" valueType="number" rules={[{ validator }]}>
      <InputNumber prefix={prefixAdorner} suffix={suffixAdorner} step={increment} inputMode="decimal" />
    </Field>
  );
}

function BoxInput({ common }: { common: Common }) {
  const { t } = useTranslation();
  const missing = t('kit.form.choose', { field: common.label });
  const validator = (_rule: unknown, value: unknown) =>
    value || !common.required ? Promise.resolve() : Promise.reject(new Error(missing));
  return (
    <Field {...common} required={false} kind="choose" valuePropName="checked" rules={[{ validator }]}>
      <Checkbox>{t(common.required ? 'work.form.tickNeeded' : 'work.form.tick')}</Checkbox>
    </Field>
  );
}

function TagsInput({ common, options }: { common: Common; options: { value: string; label: string }[] }) {
  const { t } = useTranslation();
  return (
    <Field {...common} kind="choose" valueType="array">
      <Select
        mode="multiple"
        allowClear
        options={options}
        optionFilterProp="label"
        placeholder={t('kit.form.pick')}
      />
    </Field>
  );
}

function FilesField({ component, common }: InputProps) {
  const { t } = useTranslation();
  const tried = useTried();
  const most = mostFiles(component);
  const least = component.validate?.minItems ?? 0;
  const validator = (_rule: unknown, links: readonly string[] | null | undefined) => {
    const count = links?.length ?? 0;
    if (count === 0 || count >= least) return Promise.resolve();
    return Promise.reject(new Error(t('work.form.filesAtLeast', { field: common.label, n: least })));
  };
  const pictures = component.accept === 'image/*';
  const Input = pictures ? PhotosInput : FilesInput;
  return (
    <Field full {...common} kind="choose" valueType="array" rules={[{ validator }]}>
      {tried ? <TriedFiles max={most} pictures={pictures} /> : <Input max={most} />}
    </Field>
  );
}

function MomentInput({ component, common }: InputProps) {
  const { t } = useTranslation();
  const first = component.disallowPassedDates ? dayjs().startOf('day') : undefined;
  if (component.subtype === 'datetime' && !first) return <DateTimeField {...common} />;
  const isTime = component.subtype === 'time';
  const format = isTime ? TIME : component.subtype === 'date' ? DAY : `${DAY} ${TIME}:00`;
  return (
    <Field
      {...common}
      kind="choose"
      getValueProps={(value?: string | null) => ({
        value: value ? (isTime ? dayjs(`2000-01-01 ${value}`) : dayjs(value)) : undefined,
      })}
      getValueFromEvent={(value: Dayjs | null) => value?.format(format) ?? null}
    >
      {isTime ? (
        <TimePicker format={TIME} placeholder={t('kit.form.pick')} inputReadOnly />
      ) : (
        <DatePicker
          format={component.subtype === 'date' ? DAY : `${DAY} ${TIME}`}
          showTime={component.subtype === 'date' ? false : { format: TIME }}
          minDate={first}
          placeholder={t('kit.form.pick')}
          inputReadOnly
        />
      )}
    </Field>
  );
}
