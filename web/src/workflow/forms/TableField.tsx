/** Rows of a drawn form: a line for each row with the columns beside each other, on a phone a block for each row. */
import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Form } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n';
import { type InputComponent, inputsOf, MAX_ROWS } from './schema';
import '@/kit/details.css';

interface TableFieldProps {
  component: InputComponent;
  label: string;
  hint: string | undefined;
  /** The control of a column in a row. */
  cell: (column: InputComponent, at: [number, string]) => ReactNode;
}

export function TableField({ component, label, hint, cell }: TableFieldProps) {
  const { t } = useTranslation();
  const { required, minItems, maxItems = MAX_ROWS } = component.validate ?? {};
  const columns = inputsOf({ components: component.components ?? [] });
  const check = async (_rule: unknown, rows: readonly unknown[] | null | undefined) => {
    const count = rows?.length ?? 0;
    const least = minItems ?? 1;
    if (count < least && (required || count > 0))
      throw new Error(t('kit.form.rowsAtLeast', { field: label, n: least }));
    if (count > maxItems) throw new Error(t('work.form.rowsAtMost', { field: label, n: maxItems }));
  };
  return (
    <fieldset className="x-full x-details x-drawn-rows" aria-label={label}>
      <legend className={required ? 'x-drawn-row-required' : undefined}>{label}</legend>
      {hint && <div className="x-hint">{hint}</div>}
      <Form.List name={component.key} rules={[{ validator: check }]}>
        {(rows, { add, remove }, { errors }) => (
          <>
            {rows.map(({ key, name }) => (
              <div key={key} className="x-drawn-row">
                <span className="x-drawn-row-number">{t('work.form.row', { n: name + 1 })}</span>
                {columns.map((column) => cell(column, [name, column.key]))}
                <Button
                  type="text"
                  className="x-drawn-row-remove"
                  icon={<DeleteOutlined />}
                  aria-label={t('kit.form.removeRow', { n: name + 1 })}
                  onClick={() => remove(name)}
                />
              </div>
            ))}
            <Form.ErrorList errors={errors} />
            <Button
              type="dashed"
              icon={<PlusOutlined />}
              disabled={rows.length >= maxItems}
              onClick={() => add(firstRow(columns))}
            >
              {t('kit.form.addRow')}
            </Button>
          </>
        )}
      </Form.List>
    </fieldset>
  );
}

/** What a new row holds: what the columns propose. */
function firstRow(columns: readonly InputComponent[]): Record<string, unknown> {
  return Object.fromEntries(
    columns.flatMap(({ key, defaultValue }) => (defaultValue === undefined ? [] : [[key, defaultValue]])),
  );
}
