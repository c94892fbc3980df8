/** A condition as rows of name, comparison and value, beside its text; either may be changed, the other follows. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Input, Segmented, Select } from 'antd';
import { useState } from 'react';
import { useTranslation } from '@/i18n';
import { ReferenceSelect } from '@/kit/ReferenceSelect';
import { useDesigner } from '../context';
import { useBegun } from './begun';
import {
  beyondRows,
  type Comparison,
  type Conditions,
  comparisonsOf,
  conditionsOf,
  type Group,
  type Join,
  type NameType,
  numberOf,
  type Row,
  type Scalar,
  takesList,
  takesNothing,
  textOf,
} from './conditions';
import { TextEntry } from './controls';
import { asTemplate, faultOf } from './expression';
import { useFault } from './faults';
import type { Name } from './names';

interface BuilderProps {
  text: string;
  names: readonly Name[];
  commit: (text: string) => void;
}

export function ConditionBuilder({ text, names, commit }: BuilderProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<'rows' | 'text'>('rows');
  const [conditions, change] = useBegun({ text, read: conditionsOf, write: textOf, commit });
  const mode = conditions ? asked : 'text';
  const beyond = conditions ? undefined : beyondRows(text);
  const fault = useFault();
  const check = (next: string) => {
    const found = next ? faultOf(asTemplate(next)) : undefined;
    return found && fault(found);
  };
  return (
    <section className="x-conditions" aria-label={t('panel.condition.title')}>
      <Segmented
        block
        value={mode}
        onChange={setAsked}
        options={[
          { value: 'rows' as const, label: t('panel.condition.rows'), disabled: !conditions },
          { value: 'text' as const, label: t('panel.condition.text') },
        ]}
      />
      {beyond && <p className="x-hint">{t(`panel.condition.beyond.${beyond}`)}</p>}
      {mode === 'rows' && conditions ? (
        <Items conditions={conditions} names={names} change={change} />
      ) : (
        <TextEntry
          label={t('panel.condition.expression')}
          value={text}
          rows={2}
          max={2000}
          code
          check={check}
          commit={commit}
        />
      )}
    </section>
  );
}

const NEW_ROW: Row = { kind: 'row', name: '', comparison: 'equal' };

function replaced<T>(list: readonly T[], index: number, next: T | undefined): T[] {
  return list.flatMap((one, at) => (at !== index ? [one] : next === undefined ? [] : [next]));
}

interface ItemsProps {
  conditions: Conditions;
  names: readonly Name[];
  change: (next: Conditions) => void;
}

function Items({ conditions, names, change }: ItemsProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const { join, items } = conditions;
  const put = (index: number, next: Row | Group | undefined) =>
    change({ join, items: replaced(items, index, next) });
  const add = (item: Row | Group) => change({ join, items: [...items, item] });
  return (
    <>
      {items.length > 1 && <JoinChoice join={join} change={(next) => change({ join: next, items })} />}
      {items.map((item, index) =>
        item.kind === 'row' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place: two may say the same
          <RowEditor key={index} row={item} names={names} change={(next) => put(index, next)} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group is a row, and its place too
          <GroupEditor key={index} group={item} names={names} change={(next) => put(index, next)} />
        ),
      )}
      {items.length === 0 && <p className="x-hint">{t('panel.condition.none')}</p>}
      {!readOnly && (
        <div className="x-conditions-add">
          <Button size="small" icon={<PlusOutlined />} onClick={() => add(NEW_ROW)}>
            {t('panel.condition.addRow')}
          </Button>
          {items.length > 0 && (
            <Button
              size="small"
              icon={<PlusOutlined />}
              onClick={() => add({ kind: 'group', join: join === 'and' ? 'or' : 'and', rows: [NEW_ROW] })}
            >
              {t('panel.condition.addGroup')}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function JoinChoice({ join, change }: { join: Join; change: (next: Join) => void }) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  return (
    <Segmented<Join>
      size="small"
      value={join}
      onChange={change}
      disabled={readOnly}
      aria-label={t('panel.condition.join')}
      options={[
        { value: 'and', label: t('panel.condition.and') },
        { value: 'or', label: t('panel.condition.or') },
      ]}
    />
  );
}

interface GroupProps {
  group: Group;
  names: readonly Name[];
  change: (next: Group | undefined) => void;
}

function GroupEditor({ group, names, change }: GroupProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const put = (rows: Row[]) => change(rows.length > 0 ? { ...group, rows } : undefined);
  return (
    <fieldset className="x-conditions-group">
      <legend className="x-sr">{t('panel.condition.group')}</legend>
      <JoinChoice join={group.join} change={(join) => change({ ...group, join })} />
      {group.rows.map((row, index) => (
        <RowEditor
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place: two may say the same
          key={index}
          row={row}
          names={names}
          change={(next) => put(replaced(group.rows, index, next))}
        />
      ))}
      {!readOnly && (
        <Button size="small" icon={<PlusOutlined />} onClick={() => put([...group.rows, NEW_ROW])}>
          {t('panel.condition.addRow')}
        </Button>
      )}
    </fieldset>
  );
}

interface RowProps {
  row: Row;
  names: readonly Name[];
  change: (next: Row | undefined) => void;
}

function RowEditor({ row, names, change }: RowProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const known = names.find(({ name }) => name === row.name);
  const options = names.map(({ name, label, type }) => ({
    value: name,
    label: type === 'count' ? label : `${label} (${name})`,
  }));
  // A name that nobody declares stays readable.
  if (row.name && !known) options.unshift({ value: row.name, label: row.name });
  const offered = comparisonsOf(known?.type);
  const comparisons = offered.includes(row.comparison) ? offered : [row.comparison, ...offered];
  const rename = (name: string) => {
    const type = names.find((one) => one.name === name)?.type;
    const may = comparisonsOf(type);
    const comparison = may.includes(row.comparison) ? row.comparison : (may[0] ?? 'equal');
    change({ kind: 'row', name, comparison });
  };
  const compare = (comparison: Comparison) => {
    const fits = takesList(comparison) === takesList(row.comparison) && !takesNothing(comparison);
    const list = takesList(comparison) && row.value !== undefined && !Array.isArray(row.value);
    const value = fits ? row.value : list ? [row.value as Scalar] : undefined;
    change({ ...row, comparison, value });
  };
  return (
    <div className="x-conditions-row">
      <Select
        value={row.name || undefined}
        options={options}
        showSearch={{ optionFilterProp: 'label' }}
        disabled={readOnly}
        placeholder={t('panel.condition.name')}
        aria-label={t('panel.condition.name')}
        className="x-conditions-name"
        onChange={rename}
      />
      <Select<Comparison>
        value={row.comparison}
        options={comparisons.map((value) => ({ value, label: t(`panel.comparison.${value}`) }))}
        disabled={readOnly}
        aria-label={t('panel.condition.comparison')}
        onChange={compare}
      />
      {!takesNothing(row.comparison) && (
        <ValueEditor
          key={`${row.name} ${row.comparison} ${row.value}`}
          row={row}
          known={known}
          change={(value) => change({ ...row, value })}
        />
      )}
      {!readOnly && (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('panel.condition.remove')}
          onClick={() => change(undefined)}
        />
      )}
    </div>
  );
}

interface ValueProps {
  row: Row;
  known: Name | undefined;
  change: (value: Row['value']) => void;
}

const NUMBERS: readonly NameType[] = ['number', 'count', 'id'];

/** What was typed, as the name's type wants it; a number typed for an unknown name is one. */
function typed(text: string, known: Name | undefined): Scalar | undefined {
  const word = text.trim();
  if (word === '') return undefined;
  const isNumber = known ? NUMBERS.includes(known.type) : /^-?\d+(\.\d+)?$/.test(word);
  return isNumber ? numberOf(word) : word;
}

function ValueEditor({ row, known, change }: ValueProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const many = takesList(row.comparison);
  const label = t('panel.condition.value');
  const values = row.value === undefined ? [] : ([row.value].flat() as Scalar[]);
  const flags = [
    { value: 'true', label: t('kit.yes') },
    { value: 'false', label: t('kit.no') },
  ];
  const isFlag = known?.type === 'flag' || (!known && typeof row.value === 'boolean');
  const listed = known?.options?.map((option) => ({ value: String(option.value), label: option.label }));
  const options = isFlag ? flags : listed;
  if (known?.source) {
    return (
      <ReferenceSelect
        source={known.source}
        multiple={many}
        value={values.map(String).join(',') || undefined}
        label={label}
        placeholder={label}
        disabled={readOnly}
        onChange={(ids) => {
          const next = (ids?.split(',') ?? []).flatMap((id) => typed(id, known) ?? []);
          change(many ? next : next[0]);
        }}
      />
    );
  }
  if (many || options) {
    const back = (key: string): Scalar | undefined =>
      isFlag
        ? key === 'true'
        : (known?.options?.find((option) => String(option.value) === key)?.value ?? typed(key, known));
    return (
      <Select<string | string[]>
        mode={many ? (options ? 'multiple' : 'tags') : undefined}
        value={many ? values.map(String) : values.map(String)[0]}
        options={options ?? []}
        disabled={readOnly}
        placeholder={label}
        aria-label={label}
        onChange={(keys) => {
          const next = [keys].flat().flatMap((key) => back(key) ?? []);
          change(many ? next : next[0]);
        }}
      />
    );
  }
  const leave = (text: string) => {
    const next = typed(text, known);
    if (next !== row.value) change(next);
  };
  return (
    <Input
      defaultValue={row.value === undefined ? '' : String(row.value)}
      readOnly={readOnly}
      placeholder={known?.type === 'moment' ? '2030-01-31' : label}
      aria-label={label}
      inputMode={known?.type === 'number' ? 'decimal' : known?.type === 'count' ? 'numeric' : undefined}
      onBlur={(event) => leave(event.target.value)}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') leave(event.currentTarget.value);
      }}
    />
  );
}
