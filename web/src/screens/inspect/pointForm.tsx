/** The form of a point, on the list of points and on the page of a route. */
import { InputNumber } from 'antd';
import { inspectpoint } from '@/api/nouns/inspectpoint';
import { useLanguage, useTranslation } from '@/i18n';
import { Field, type FieldProps } from '@/kit/fields';
import type { FormEntry, Values } from '@/kit/NounPage';
import { ItemsEditor } from '@/screens/shared/standards/ItemsEditor';
import { type CheckItem, type EditedItem, edited, errorsOf, toWire } from '@/screens/shared/standards/items';

type Point = typeof inspectpoint;

/** The point's own items; with standards it may do without. */
function OwnItems(props: FieldProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const checked = async (_: unknown, items: readonly EditedItem[] = []) => {
    const wrong = items.filter(
      (item, place) => Object.keys(errorsOf(item, items.slice(0, place), t, language)).length > 0,
    );
    if (wrong.length > 0) throw new Error(t('inspect.item.wrongCount', { count: wrong.length }));
  };
  const needed = ({ getFieldValue }: { getFieldValue: (name: string) => unknown }) => ({
    validateTrigger: 'onSubmit',
    validator: async (_: unknown, items: readonly EditedItem[] = []) => {
      if (items.length === 0 && !getFieldValue('configIds')) throw new Error(t('inspect.point.itemNeeded'));
    },
  });
  return (
    <Field
      {...props}
      required={false}
      kind="choose"
      valueType="array"
      full
      rules={[{ validator: checked, validateTrigger: 'onSubmit' }, needed]}
    >
      <ItemsEditor disabled={props.disabled} />
    </Field>
  );
}

type Place = 'lng' | 'lat' | 'radius';
const has = (value: unknown) => value !== null && value !== undefined && value !== '';
const NEAREST = 20;
const FARTHEST = 2000;

/** A place is given by both numbers, and only then has a radius. */
function PlaceField({ place, ...props }: FieldProps & { place: Place }) {
  const { t } = useTranslation();
  const { lng, lat } = inspectpoint.fields;
  const { min, max } = { lng, lat, radius: { min: 0, max: FARTHEST } }[place];
  const field = props.label;
  const other = place === 'lng' ? 'lat' : 'lng';
  const together = ({ getFieldValue }: { getFieldValue: (name: string) => unknown }) => ({
    validator: async (_: unknown, value: unknown) => {
      if (place !== 'radius') {
        if (!has(value) && has(getFieldValue(other))) throw new Error(t('inspect.point.both'));
        return;
      }
      const asked = Number(value ?? 0);
      if (asked === 0) return;
      if (asked < NEAREST || asked > FARTHEST)
        throw new Error(t('kit.form.between', { field, a: NEAREST, b: FARTHEST }));
      if (!has(getFieldValue('lng')) && !has(getFieldValue('lat')))
        throw new Error(t('inspect.point.placeFirst'));
    },
  });
  const outside = t('kit.form.between', { field, a: min, b: max });
  return (
    <Field
      {...props}
      kind="enter"
      valueType="number"
      rules={[
        ...(place === 'radius' ? [] : [{ type: 'number' as const, min, max, message: outside }]),
        together,
      ]}
    >
      <InputNumber
        disabled={props.disabled}
        precision={place === 'radius' ? 0 : lng.decimals}
        inputMode="decimal"
      />
    </Field>
  );
}

const placeField = (key: Place, hint?: string): FormEntry<Point> => ({
  key,
  hint,
  control: (props) => <PlaceField {...props} place={key} />,
});

export function usePointForm(groupId?: string): readonly FormEntry<Point>[] {
  const { t } = useTranslation();
  return [
    { key: 'groupId', locked: groupId !== undefined, disabled: groupId !== undefined },
    'machineId',
    'pointCode',
    'pointName',
    'location',
    { key: 'sort', on: 'edit', hint: t('inspect.point.sortHint') },
    { group: t('inspect.point.whatGroup') },
    {
      key: 'configIds',
      full: true,
      hint: t('inspect.point.configHint'),
    },
    { key: 'items', control: (props) => <OwnItems {...props} label={t('inspect.point.ownItems')} /> },
    { group: t('inspect.point.howGroup') },
    { key: 'scanMode', on: 'edit' },
    'photoRequired',
    { key: 'stopCheck', hint: t('inspect.point.stopHint') },
    { key: 'minSeconds', hint: t('inspect.point.secondsHint') },
    { group: t('inspect.point.placeGroup') },
    placeField('lng'),
    placeField('lat'),
    placeField('radius', t('inspect.point.radiusHint')),
    { group: t('inspect.point.restGroup') },
    { key: 'isSealed', hint: t('inspect.point.sealedHint') },
    'remark',
  ];
}

export const toPointForm = (row: object): Values => {
  const { items, ...rest } = row as Values & { items?: readonly CheckItem[] };
  return { ...rest, items: edited(items ?? []) };
};

export const toPointWire = (values: Values): Values => ({
  ...values,
  items: toWire((values.items ?? []) as EditedItem[]),
});
