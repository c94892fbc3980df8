/** Check items to edit: rows that are added, sorted, duplicated and removed; the open one shows the fields that its kind of value needs. */
import { CopyOutlined, DeleteOutlined, HolderOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form, Input, InputNumber, Radio, Select, Switch } from 'antd';
import { type ReactNode, useId, useRef, useState } from 'react';
import { useLanguage, useTranslation } from '@/i18n';
import { labelIn } from '@/kit/nounText';
import { PhotosInput } from '@/kit/PhotosInput';
import { moved, useSorting } from '@/kit/useSorting';
import { ItemMarks, ItemNorm, ItemWhat } from './ItemView';
import {
  CHOICE,
  type CheckItem,
  duplicate,
  type EditedItem,
  errorsOf,
  type ItemErrors,
  type ItemField,
  itemLabel,
  LIMITS,
  METER,
  MOST_ITEMS,
  MOST_OPTIONS,
  NUMBER,
  newItem,
  PASS_FAIL,
  REPORT,
  RESULT_TEXT,
  ROWS,
  withType,
} from './items';
import { LimitScale } from './LimitScale';
import './standards.css';

interface ItemsEditorProps {
  id?: string;
  value?: readonly EditedItem[];
  onChange?: (items: EditedItem[]) => void;
  disabled?: boolean;
  /** What the server said of single items, by their places. */
  refused?: Readonly<Record<number, ItemErrors>>;
  /** All mistakes are shown, not only those of items that were touched. */
  strict?: boolean;
}

/** A name that no other item has: with the next free number behind it. */
function freeName(name: string, items: readonly CheckItem[]): string {
  const base = name.replace(/ ?\(\d+\)$/, '').slice(0, ROWS.itemName.max - 5);
  for (let number = 2; ; number++) {
    const tried = `${base} (${number})`;
    if (!items.some((item) => item.itemName.trim() === tried)) return tried;
  }
}

export function ItemsEditor({ id, value = [], onChange, disabled, refused = {}, strict }: ItemsEditorProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const [open, setOpen] = useState<string>();
  const [said, setSaid] = useState('');
  const touched = useRef(new Set<string>());
  const items = value as EditedItem[];
  const change = (next: EditedItem[]) => onChange?.(next);
  const patch = (key: string, part: Partial<EditedItem>) => {
    touched.current.add(key);
    change(items.map((item) => (item.key === key ? { ...item, ...part } : item)));
  };
  const sorting = useSorting({
    onMove: (from, to) => {
      change(moved(items, from, to));
      setSaid(t('inspect.item.movedTo', { name: items[from]?.itemName ?? '', n: to + 1 }));
    },
  });
  const add = () => {
    const item = newItem();
    change([...items, item]);
    setOpen(item.key);
  };
  const copy = (place: number) => {
    const item = items[place];
    if (!item) return;
    const made = duplicate(item, freeName(item.itemName, items));
    change([...items.slice(0, place + 1), made, ...items.slice(place + 1)]);
    setOpen(made.key);
  };
  const full = items.length >= MOST_ITEMS;
  return (
    <div id={id} className="x-items-editor">
      <ol className="x-items" ref={sorting.list}>
        {items.map((item, place) => {
          const found = errorsOf(item, items.slice(0, place), t, language);
          const seen = strict || (touched.current.has(item.key) && open !== item.key);
          const wrong = refused[place] ?? (seen && Object.keys(found).length > 0 ? found : undefined);
          const isOpen = open === item.key;
          return (
            <li
              key={item.key}
              className={['x-item', wrong && 'x-item-wrong', sorting.dragged === place && 'x-item-dragged']
                .filter(Boolean)
                .join(' ')}
            >
              <div className="x-item-head">
                <Button
                  type="text"
                  className="x-item-handle"
                  icon={<HolderOutlined />}
                  disabled={disabled}
                  aria-label={t('inspect.item.handle', { name: item.itemName || place + 1 })}
                  title={t('inspect.item.handleHint')}
                  {...sorting.handle(place)}
                />
                <button
                  type="button"
                  className="x-item-title"
                  aria-expanded={isOpen}
                  onClick={() => setOpen(isOpen ? undefined : item.key)}
                >
                  <span className="x-item-name">
                    <span className="x-item-no">{place + 1}</span>
                    {item.itemName || <span className="x-quiet">{t('inspect.item.unnamed')}</span>}
                    {wrong && <span className="x-item-error"> · {t('inspect.item.wrong')}</span>}
                  </span>
                  <span className="x-marks">
                    <ItemWhat item={item} />
                    <ItemMarks item={item} />
                  </span>
                  {!isOpen && <ItemNorm item={item} />}
                </button>
                <Button
                  type="text"
                  icon={<CopyOutlined />}
                  disabled={disabled || full}
                  aria-label={t('inspect.item.duplicate', { name: item.itemName || place + 1 })}
                  title={t('inspect.item.duplicateShort')}
                  onClick={() => copy(place)}
                />
                <Button
                  type="text"
                  danger
                  icon={<DeleteOutlined />}
                  disabled={disabled}
                  aria-label={t('inspect.item.remove', { name: item.itemName || place + 1 })}
                  title={t('kit.delete')}
                  onClick={() => change(items.filter((other) => other.key !== item.key))}
                />
              </div>
              {isOpen && (
                <ItemForm
                  item={item}
                  disabled={disabled}
                  errors={{
                    ...(strict || touched.current.has(item.key) ? found : {}),
                    ...refused[place],
                  }}
                  onChange={(part) => patch(item.key, part)}
                />
              )}
            </li>
          );
        })}
      </ol>
      <div className="x-item-add">
        <Button type="dashed" icon={<PlusOutlined />} disabled={disabled || full} onClick={add}>
          {t('inspect.item.add')}
        </Button>
        <span className="x-quiet">{t('inspect.item.count', { n: items.length, most: MOST_ITEMS })}</span>
      </div>
      <div role="status" className="x-sr">
        {said}
      </div>
    </div>
  );
}

interface ItemFormProps {
  item: EditedItem;
  errors: ItemErrors;
  disabled?: boolean;
  onChange: (part: Partial<EditedItem>) => void;
}

function ItemForm({ item, errors, disabled, onChange }: ItemFormProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const label = (field: ItemField) => itemLabel(field, language);

  /** A label, its control, and the mistake below it. */
  const row = (
    field: ItemField,
    control: (at: string) => ReactNode,
    given: { full?: boolean; required?: boolean; hint?: string } = {},
  ) => (
    <Form.Item
      key={field}
      label={label(field)}
      htmlFor={`${id}-${field}`}
      required={given.required}
      className={given.full ? 'x-item-full' : undefined}
      validateStatus={errors[field] ? 'error' : undefined}
      help={errors[field]}
      extra={given.hint}
    >
      {control(`${id}-${field}`)}
    </Form.Item>
  );
  const text = (
    field: 'itemName' | 'part' | 'standardText' | 'unit' | 'okLabel' | 'badLabel' | 'tips',
    given: { full?: boolean; required?: boolean; placeholder?: string } = {},
  ) =>
    row(
      field,
      (at) => (
        <Input
          id={at}
          value={item[field]}
          disabled={disabled}
          placeholder={given.placeholder}
          autoComplete="off"
          onChange={(event) => onChange({ [field]: event.target.value })}
        />
      ),
      given,
    );
  const choice = (
    field: 'method' | 'machineState' | 'needPhoto' | 'abnormalAction' | 'repairUrgency' | 'importance',
    given: { full?: boolean; hint?: string } = {},
  ) =>
    row(
      field,
      (at) => (
        <Select
          id={at}
          value={item[field] as number}
          disabled={disabled}
          options={ROWS[field].options.map(([key, zh, en]) => ({
            value: key as number,
            label: labelIn(language, [zh, en]),
          }))}
          onChange={(chosen) => onChange({ [field]: chosen })}
        />
      ),
      given,
    );
  const number = (field: 'decimals' | (typeof LIMITS)[number]) =>
    row(field, (at) => (
      <InputNumber
        id={at}
        value={item[field]}
        disabled={disabled}
        min={field === 'decimals' ? 0 : undefined}
        max={field === 'decimals' ? 4 : undefined}
        precision={field === 'decimals' ? 0 : undefined}
        inputMode="decimal"
        suffix={field === 'decimals' ? undefined : item.unit || undefined}
        // While one types, so that the scale follows.
        onInput={(typed) => {
          const value = typed.trim() === '' ? null : Number(typed);
          if (field !== 'decimals' && !Number.isNaN(value)) onChange({ [field]: value });
        }}
        onChange={(value) => onChange({ [field]: field === 'decimals' ? (value ?? 1) : value })}
      />
    ));

  return (
    <div className="x-item-body">
      {text('itemName', { required: true })}
      {text('part')}
      <Form.Item label={label('valueType')} className="x-item-full">
        <Radio.Group
          aria-label={label('valueType')}
          optionType="button"
          value={item.valueType}
          disabled={disabled}
          options={ROWS.valueType.options.map(([key, zh, en]) => ({
            value: key,
            label: labelIn(language, [zh, en]),
          }))}
          onChange={(event) =>
            onChange(
              withType(item, event.target.value, t('inspect.result.normal'), t('inspect.result.abnormal')),
            )
          }
        />
      </Form.Item>
      {(item.valueType === NUMBER || item.valueType === METER) && (
        <>
          {text('unit')}
          {number('decimals')}
        </>
      )}
      {item.valueType === NUMBER && (
        <>
          <div className="x-item-limits">{LIMITS.map(number)}</div>
          <div className="x-item-full">
            <LimitScale of={item} />
          </div>
        </>
      )}
      {item.valueType === PASS_FAIL && (
        <>
          {text('okLabel', { placeholder: t('inspect.result.normal') })}
          {text('badLabel', { placeholder: t('inspect.result.abnormal') })}
        </>
      )}
      {item.valueType === CHOICE && (
        <Form.Item
          label={label('options')}
          className="x-item-full"
          required
          validateStatus={errors.options ? 'error' : undefined}
          help={errors.options}
        >
          <Options item={item} disabled={disabled} onChange={onChange} />
        </Form.Item>
      )}
      {choice('method')}
      {choice('machineState')}
      {text('standardText', { full: true })}
      {choice('abnormalAction')}
      {item.abnormalAction === REPORT ? choice('repairUrgency') : choice('importance')}
      {item.abnormalAction === REPORT && choice('importance')}
      {choice('needPhoto')}
      {row('required', (at) => (
        <Switch
          id={at}
          checked={item.required === 1}
          disabled={disabled}
          onChange={(checked) => onChange({ required: checked ? 1 : 0 })}
        />
      ))}
      {text('tips', { full: true })}
      {row(
        'tipImages',
        (at) => (
          <PhotosInput
            id={at}
            max={ROWS.tipImages.max}
            disabled={disabled}
            value={item.tipImages}
            onChange={(tipImages) => onChange({ tipImages })}
          />
        ),
        { full: true },
      )}
    </div>
  );
}

function Options({ item, disabled, onChange }: Omit<ItemFormProps, 'errors'>) {
  const { t } = useTranslation();
  const patch = (place: number, part: object) =>
    onChange({
      options: item.options.map((option, index) => (index === place ? { ...option, ...part } : option)),
    });
  return (
    <>
      {item.options.map((option, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option has nothing else until it is stored
        <div key={place} className="x-item-option">
          <Input
            value={option.label}
            maxLength={40}
            disabled={disabled}
            aria-label={t('inspect.item.optionName', { n: place + 1 })}
            placeholder={t('inspect.item.option')}
            onChange={(event) => patch(place, { label: event.target.value })}
          />
          <Input
            value={option.labelEn}
            maxLength={80}
            disabled={disabled}
            aria-label={t('inspect.item.optionEn', { n: place + 1 })}
            placeholder={t('inspect.item.english')}
            onChange={(event) => patch(place, { labelEn: event.target.value })}
          />
          <Select
            value={option.result as number}
            disabled={disabled}
            aria-label={t('inspect.item.optionResult', { n: place + 1 })}
            options={([1, 2, 3] as const).map((key) => ({ value: key, label: t(RESULT_TEXT[key]) }))}
            onChange={(result) => patch(place, { result })}
          />
          <Button
            type="text"
            icon={<DeleteOutlined />}
            disabled={disabled || item.options.length <= 2}
            aria-label={t('inspect.item.optionRemove', { n: place + 1 })}
            onClick={() => onChange({ options: item.options.filter((_, index) => index !== place) })}
          />
        </div>
      ))}
      <Button
        type="dashed"
        size="small"
        icon={<PlusOutlined />}
        disabled={disabled || item.options.length >= MOST_OPTIONS}
        onClick={() =>
          onChange({
            options: [...item.options, { value: '', label: '', labelEn: '', result: 3, resultName: '' }],
          })
        }
      >
        {t('inspect.item.optionAdd')}
      </Button>
    </>
  );
}
