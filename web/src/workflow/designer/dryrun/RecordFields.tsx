/** What a record holds, as its process reads it: in a dry run the record is a sample whose values one may change. */
import { Checkbox } from 'antd';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { Option } from '@/kit/dictionary';
import { Field, NumberField, SelectField, TextField } from '@/kit/fields';
import { ReferenceField } from '@/kit/nounFields';
import type { Values } from '../../forms/schema';
import { PersonField } from './PersonField';

type Readable = Wire<'ReadableRow'>;

const RECORD = 'record.';
const TEAMS = { ref: '/yuzhu-equip/repairteam/select' };
const DEPARTMENTS = { ref: '/blade-system/dept/select', tree: '/blade-system/dept/tree' };

/** The record's own names, without their prefix. */
export function recordNames(readable: readonly Readable[]): Readable[] {
  return readable
    .filter(({ name }) => name.startsWith(RECORD))
    .map((row) => ({ ...row, name: row.name.slice(RECORD.length) }));
}

/** What fields of these names hold at first. */
export function initialRecord(names: readonly Readable[], record: Values): Record<string, unknown> {
  return Object.fromEntries(
    names.map(({ name, kind }) => {
      const value = record[name];
      return [name, value === '' || value === null ? undefined : kind === 'choice' ? String(value) : value];
    }),
  );
}

/** What is sent: the values that were changed, as the wire has them. */
export function changedRecord(
  names: readonly Readable[],
  before: Values,
  values: Values,
): Record<string, unknown> {
  const sent = names.map(({ name, kind }): [string, unknown] => {
    const value = values[name] ?? (kind === 'flag' ? false : '');
    return [name, kind === 'choice' && value !== '' ? Number(value) : value];
  });
  return Object.fromEntries(sent.filter(([name, value]) => value !== (before[name] ?? '')));
}

interface RecordFieldsProps {
  names: readonly Readable[];
  /** What the record holds now. */
  record: Values;
  /** Of its ids, what is called so. */
  texts: Readonly<Record<string, string>>;
}

export function RecordFields({ names, record, texts }: RecordFieldsProps) {
  return names.map((row) => {
    const { name } = row;
    const current = texts[name] ? { value: String(record[name]), label: texts[name] } : undefined;
    return <RecordField key={name} row={row} current={current} />;
  });
}

function RecordField({ row, current }: { row: Readable; current: Option | undefined }) {
  const { name, label, kind, options } = row;
  const common = { name, label };
  switch (kind) {
    case 'number':
      return <NumberField {...common} decimals={2} />;
    case 'flag':
      return <BoxField {...common} />;
    case 'choice':
      return (
        <SelectField
          {...common}
          options={options.map((option) => ({ value: String(option.value), label: option.label }))}
        />
      );
    case 'user':
      return <PersonField {...common} current={current} />;
    case 'team':
      return <ReferenceField {...common} source={TEAMS} />;
    case 'dept':
      return <ReferenceField {...common} source={DEPARTMENTS} />;
    default:
      return <TextField {...common} max={40} />;
  }
}

interface Named {
  name: string;
  label: string;
}

function BoxField({ name, label }: Named) {
  const { t } = useTranslation();
  return (
    <Field name={name} label={label} kind="choose" valuePropName="checked">
      <Checkbox>{t('kit.yes')}</Checkbox>
    </Field>
  );
}
