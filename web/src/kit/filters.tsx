/** A list's filters: a few in sight, the rest behind "more", each active one as a chip that can be taken off. */
import { CloseOutlined, FilterOutlined, SearchOutlined } from '@ant-design/icons';
import {
  Badge,
  Button,
  Checkbox,
  DatePicker,
  Input,
  InputNumber,
  type InputRef,
  Select,
  Space,
  TreeSelect,
} from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from '@/i18n';
import { rangesAt } from '@/lib/dates';
import { type Dictionary, type Option, useDictionary } from './dictionary';
import type { ListControl } from './listState';
import { Drawer } from './overlays';
import { ReferenceSelect } from './ReferenceSelect';
import { type Source, useChoices, useNames, useTree } from './references';
import { pathTo, type TreeNode } from './tree';
import { useDebounced } from './useDebounced';
import { usePhone } from './width';

interface Common {
  /** The name on the wire. */
  name: string;
  label: string;
}

export type Filter = Common &
  (
    | { kind: 'text' }
    | { kind: 'dict'; dict: string; multiple?: boolean }
    | { kind: 'select'; options: Option[]; multiple?: boolean }
    | { kind: 'tree'; nodes: readonly TreeNode[] }
    /** A row chosen from a call's answer. */
    | { kind: 'reference'; source: Source }
    /**
     * Two names on the wire: `…_dategt` and `…_datelt`, or of days without a time `…_ge` and `…_le`, or `bounds`.
     * What is `whole` has both ends or none.
     */
    | { kind: 'dates'; plain?: boolean; bounds?: readonly [from: string, to: string]; whole?: boolean }
    /** Two names on the wire: `…_ge` and `…_le`. */
    | { kind: 'numbers'; decimals: number }
    /** Two names on the wire, `year` and `month`, whatever the filter is called. */
    | { kind: 'month' }
    /** "1" or absent. */
    | { kind: 'flag' }
  );

const DAY = 'YYYY-MM-DD';
const bounds = ({ name, ...filter }: Filter): readonly [string, string] => {
  if (filter.kind !== 'dates' || filter.plain) return [`${name}_ge`, `${name}_le`];
  return filter.bounds ?? [`${name}_dategt`, `${name}_datelt`];
};

/** The names a filter uses on the wire and in the address. */
export function namesOf(filter: Filter): string[] {
  if (filter.kind === 'month') return ['year', 'month'];
  return filter.kind === 'dates' || filter.kind === 'numbers' ? [...bounds(filter)] : [filter.name];
}

interface ControlProps<Kind extends Filter['kind'] = Filter['kind']> {
  filter: Extract<Filter, { kind: Kind }>;
  list: ListControl;
  /** The list's search field, reached by the / key. */
  main?: boolean;
}

function TextFilter({ filter, list, main }: ControlProps<'text'>) {
  const kept = list.filters[filter.name] ?? '';
  const [text, setText] = useState(kept);
  const rested = useDebounced(text);
  const field = useRef<InputRef>(null);
  const sent = useRef(kept);

  const { setFilters } = list;
  useEffect(() => {
    if (rested.trim() === sent.current) return;
    sent.current = rested.trim();
    setFilters({ [filter.name]: sent.current });
  }, [rested, filter.name, setFilters]);
  // Taken off by its chip, or changed by going back.
  useEffect(() => {
    if (kept === sent.current) return;
    sent.current = kept;
    setText(kept);
  }, [kept]);
  useEffect(() => {
    if (!main) return;
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || target.closest('input, textarea, [contenteditable]')) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [main]);

  return (
    <Input
      ref={field}
      allowClear
      prefix={<SearchOutlined />}
      placeholder={filter.label}
      aria-label={filter.label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      enterKeyHint="search"
    />
  );
}

function ChoiceFilter({ filter, list }: ControlProps<'dict' | 'select'>) {
  const dictionary = useDictionary(filter.kind === 'dict' ? filter.dict : '');
  const value = list.filters[filter.name];
  return (
    <Select<string | string[]>
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      mode={filter.multiple ? 'multiple' : undefined}
      maxTagCount="responsive"
      placeholder={filter.label}
      aria-label={filter.label}
      options={filter.kind === 'dict' ? dictionary.options : filter.options}
      value={filter.multiple ? (value?.split(',') ?? []) : value}
      onChange={(chosen) => list.setFilters({ [filter.name]: [chosen ?? ''].flat().join(',') })}
    />
  );
}

function ReferenceFilter({ filter, list }: ControlProps<'reference'>) {
  const { source } = filter;
  const tree = useTree(source.tree ?? '', source.params);
  if (source.tree)
    return <TreeFilter filter={{ ...filter, kind: 'tree', nodes: tree.data ?? [] }} list={list} />;
  return (
    <ReferenceSelect
      source={{ ...source, closed: true }}
      placeholder={filter.label}
      label={filter.label}
      value={list.filters[filter.name]}
      onChange={(chosen) => list.setFilters({ [filter.name]: chosen ?? '' })}
    />
  );
}

function TreeFilter({ filter, list }: ControlProps<'tree'>) {
  return (
    <TreeSelect
      allowClear
      showSearch={{ treeNodeFilterProp: 'label' }}
      placeholder={filter.label}
      aria-label={filter.label}
      treeData={filter.nodes as TreeNode[]}
      fieldNames={{ label: 'label', value: 'key', children: 'children' }}
      popupMatchSelectWidth={320}
      value={list.filters[filter.name]}
      onChange={(chosen?: string) => list.setFilters({ [filter.name]: chosen ?? '' })}
    />
  );
}

function DatesFilter({ filter, list }: ControlProps<'dates'>) {
  const { t } = useTranslation();
  const [from, to] = bounds(filter);
  const day = (name: string) => (list.filters[name] ? dayjs(list.filters[name]) : null);
  return (
    <DatePicker.RangePicker
      allowEmpty={!filter.whole}
      placeholder={[`${filter.label} ${t('kit.list.from')}`, t('kit.list.to')]}
      presets={rangesAt(dayjs()).map(([name, first, last]) => ({
        label: t(`kit.ranges.${name}`),
        value: [first, last],
      }))}
      value={[day(from), day(to)]}
      onChange={(range) =>
        list.setFilters({ [from]: range?.[0]?.format(DAY) ?? '', [to]: range?.[1]?.format(DAY) ?? '' })
      }
    />
  );
}

function NumbersFilter({ filter, list }: ControlProps<'numbers'>) {
  const { t } = useTranslation();
  const bound = (name: string, word: string, placeholder: string) => (
    <InputNumber
      aria-label={`${filter.label} ${word}`}
      placeholder={placeholder}
      precision={filter.decimals}
      inputMode="decimal"
      value={list.filters[name] ? Number(list.filters[name]) : null}
      changeOnBlur
      onChange={(value) => list.setFilters({ [name]: value === null ? '' : String(value) })}
    />
  );
  const [from, to] = bounds(filter);
  return (
    <Space.Compact block>
      {bound(from, t('kit.list.from'), `${filter.label} ${t('kit.list.from')}`)}
      {bound(to, t('kit.list.to'), t('kit.list.to'))}
    </Space.Compact>
  );
}

function MonthFilter({ filter, list }: ControlProps<'month'>) {
  const { year, month } = list.filters;
  return (
    <DatePicker
      picker="month"
      placeholder={filter.label}
      aria-label={filter.label}
      value={year && month ? dayjs(`${year}-${month.padStart(2, '0')}-01`) : null}
      onChange={(chosen) =>
        list.setFilters({ year: chosen?.format('YYYY') ?? '', month: chosen?.format('M') ?? '' })
      }
    />
  );
}

function FlagFilter({ filter, list }: ControlProps<'flag'>) {
  return (
    <Checkbox
      checked={list.filters[filter.name] === '1'}
      onChange={(event) => list.setFilters({ [filter.name]: event.target.checked ? '1' : '' })}
    >
      {filter.label}
    </Checkbox>
  );
}

function Control({ filter, list, main }: ControlProps) {
  switch (filter.kind) {
    case 'text':
      return <TextFilter filter={filter} list={list} main={main} />;
    case 'dates':
      return <DatesFilter filter={filter} list={list} />;
    case 'numbers':
      return <NumbersFilter filter={filter} list={list} />;
    case 'month':
      return <MonthFilter filter={filter} list={list} />;
    case 'tree':
      return <TreeFilter filter={filter} list={list} />;
    case 'reference':
      return <ReferenceFilter filter={filter} list={list} />;
    case 'flag':
      return <FlagFilter filter={filter} list={list} />;
    default:
      return <ChoiceFilter filter={filter} list={list} />;
  }
}

const SHAPES: Partial<Record<Filter['kind'], string>> = {
  dates: 'x-filter-wide',
  numbers: 'x-filter-wide',
  flag: 'x-filter-auto',
};

interface FilterBarProps {
  filters: readonly Filter[];
  list: ListControl;
  /** So many stand in sight. */
  inline: number;
}

export function FilterBar({ filters, list, inline }: FilterBarProps) {
  const { t } = useTranslation();
  const phone = usePhone();
  const [open, setOpen] = useState(false);
  if (filters.length === 0) return null;

  const main = filters.find((filter) => filter.kind === 'text');
  const active = filters.filter((filter) => namesOf(filter).some((name) => list.filters[name]));
  if (phone) {
    const hidden = filters.filter((filter) => filter !== main);
    return (
      <div className="x-filters">
        {main && <Control filter={main} list={list} main />}
        {hidden.length > 0 && (
          <div className="x-filter-auto">
            <Badge count={active.filter((filter) => filter !== main).length} size="small">
              <Button icon={<FilterOutlined />} onClick={() => setOpen(true)}>
                {t('kit.list.filters')}
              </Button>
            </Badge>
          </div>
        )}
        <Drawer
          open={open}
          title={t('kit.list.filters')}
          placement="bottom"
          size="auto"
          onClose={() => setOpen(false)}
          footer={
            <div className="x-bar">
              <Button type="primary" onClick={() => setOpen(false)}>
                {t('kit.list.apply')}
              </Button>
            </div>
          }
        >
          <div className="x-filter-drawer">
            {hidden.map((filter) => (
              <div key={filter.name}>
                {filter.kind !== 'flag' && <span className="x-filter-label">{filter.label}</span>}
                <Control filter={filter} list={list} />
              </div>
            ))}
          </div>
        </Drawer>
      </div>
    );
  }

  // A filter that is set stays in sight.
  const shown = filters.filter((filter, index) => open || index < inline || active.includes(filter));
  return (
    <div className="x-filters">
      {shown.map((filter) => (
        <div key={filter.name} className={SHAPES[filter.kind]}>
          <Control filter={filter} list={list} main={filter === main} />
        </div>
      ))}
      {(open || shown.length < filters.length) && (
        <Button
          className="x-filter-auto"
          type="text"
          icon={<FilterOutlined />}
          onClick={() => setOpen(!open)}
        >
          {open ? t('kit.list.fewerFilters') : t('kit.list.moreFilters')}
        </Button>
      )}
    </div>
  );
}

function Chip({ label, text, onRemove }: { label: string; text?: ReactNode; onRemove: () => void }) {
  const { t } = useTranslation();
  return (
    <span className="x-chip">
      <span>
        {label}
        {text && <>: {text}</>}
      </span>
      <button type="button" aria-label={t('kit.list.remove', { name: label })} onClick={onRemove}>
        <CloseOutlined />
      </button>
    </span>
  );
}

function ReferenceChip({
  filter,
  list,
}: {
  filter: Extract<Filter, { kind: 'reference' }>;
  list: ListControl;
}) {
  const { source } = filter;
  const id = list.filters[filter.name] ?? '';
  const tree = useTree(source.tree ?? '', source.params);
  const { choices } = useChoices({ ...source, closed: true }, '', id && !source.tree ? id.split(',') : []);
  const nodes = tree.data ?? choices.map(({ value, label }) => ({ key: value, label }));
  return <FilterChip filter={{ ...filter, kind: 'tree', nodes }} list={list} />;
}

/** A filter whose words need no call: a reference becomes a tree of the rows that it names. */
type Known = Exclude<Filter, { kind: 'reference' }>;

/** What is chosen in a filter; undefined where nothing is. `entry` is the word of a dictionary's key. */
function chosenIn(filter: Known, list: ListControl, entry: Dictionary['label']): string | undefined {
  const values = namesOf(filter).map((name) => list.filters[name] ?? '');
  if (values.every((value) => value === '')) return undefined;
  const value = values[0] as string;
  const word = (key: string) =>
    filter.kind === 'select'
      ? (filter.options.find((option) => option.value === key)?.label ?? key)
      : entry(key);
  switch (filter.kind) {
    case 'dict':
    case 'select':
      return value.split(',').map(word).join(', ');
    case 'tree':
      return pathTo(filter.nodes, value).at(-1)?.label || value;
    case 'dates':
    case 'numbers':
      return values.map((bound) => bound || '…').join(' – ');
    case 'month':
      return `${value}-${(values[1] ?? '').padStart(2, '0')}`;
    case 'flag':
      return '';
    default:
      return value;
  }
}

function FilterChip({ filter, list }: { filter: Known; list: ListControl }) {
  const dictionary = useDictionary(filter.kind === 'dict' ? filter.dict : '');
  const text = chosenIn(filter, list, dictionary.label);
  if (text === undefined) return null;
  return (
    <Chip
      label={filter.label}
      text={text}
      onRemove={() => list.setFilters(Object.fromEntries(namesOf(filter).map((name) => [name, ''])))}
    />
  );
}

/** Tells in words what is chosen, as the chips do, of filters without a dictionary: names that are not there yet are asked. */
export function useChosen(filters: readonly Filter[], list: ListControl): () => Promise<string[]> {
  const names = useNames();
  return async () => {
    const told = filters.map(async (filter) => {
      let known: Known;
      if (filter.kind === 'reference') {
        const id = list.filters[filter.name];
        known = { ...filter, kind: 'tree', nodes: id ? await names(filter.source, [id]) : [] };
      } else known = filter;
      const text = chosenIn(known, list, String);
      return text === undefined ? [] : [[filter.label, text].filter(Boolean).join(': ')];
    });
    return (await Promise.all(told)).flat();
  };
}

/** The active filters, each to be taken off alone. */
export function FilterChips({ filters, list }: { filters: readonly Filter[]; list: ListControl }) {
  const { t } = useTranslation();
  const active = Object.keys(list.filters);
  if (active.length === 0) return null;
  return (
    <div className="x-chips">
      {filters.map((filter) =>
        filter.kind === 'reference' ? (
          <ReferenceChip key={filter.name} filter={filter} list={list} />
        ) : (
          <FilterChip key={filter.name} filter={filter} list={list} />
        ),
      )}
      <Button
        type="link"
        size="small"
        onClick={() => list.setFilters(Object.fromEntries(active.map((name) => [name, ''])))}
      >
        {t('kit.list.clear')}
      </Button>
    </div>
  );
}
