/** The icon of a menu entry, chosen by its looks. */
import { Select } from 'antd';
import { Field, type FieldProps } from '@/kit/fields';
import { ICON_NAMES, menuIcon } from '@/kit/icons';

/** An icon and its name. */
export function Icon({ name }: { name: string }) {
  return (
    <span className="x-marks">
      {menuIcon(name)} {name}
    </span>
  );
}

export function IconField(props: FieldProps) {
  return (
    <Field {...props} kind="choose">
      <Select
        allowClear
        showSearch
        options={ICON_NAMES.map((name) => ({ value: name, label: <Icon name={name} /> }))}
      />
    </Field>
  );
}
