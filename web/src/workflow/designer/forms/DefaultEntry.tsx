/** What a field proposes, as its type holds it. */
import { Select } from 'antd';
import { useTranslation } from '@/i18n';
import { optionsOf } from '../../forms/schema';
import { useDesigner } from '../context';
import { ChoiceEntry, Entry, NumberEntry, TextEntry } from '../panel/controls';
import { cleaned, type PartProps } from './tree';

const SHAPES = { date: 'YYYY-MM-DD', time: 'HH:mm', datetime: 'YYYY-MM-DD HH:mm' } as const;

export function DefaultEntry({ component, put }: PartProps) {
  const { t } = useTranslation();
  const { language, readOnly } = useDesigner();
  const { type, defaultValue, subtype = 'date' } = component;
  const label = t('panel.form.defaultValue');
  const set = (value: unknown) => put(cleaned({ ...component, defaultValue: value }));
  const text = typeof defaultValue === 'string' ? defaultValue : '';
  switch (type) {
    case 'number':
      return (
        <NumberEntry
          label={label}
          value={typeof defaultValue === 'number' ? defaultValue : undefined}
          commit={set}
        />
      );
    case 'checkbox':
      return (
        <ChoiceEntry
          label={label}
          value={typeof defaultValue === 'boolean' ? String(defaultValue) : undefined}
          clearable
          options={[
            { value: 'true', label: t('kit.yes') },
            { value: 'false', label: t('kit.no') },
          ]}
          commit={(value) => set(value === undefined ? undefined : value === 'true')}
        />
      );
    case 'radio':
    case 'select':
      return (
        <ChoiceEntry
          label={label}
          value={text || undefined}
          clearable
          options={optionsOf(component, language)}
          commit={set}
        />
      );
    case 'checklist':
    case 'taglist':
      return (
        <Entry label={label}>
          {(id) => (
            <Select<string[]>
              id={id}
              mode="multiple"
              value={Array.isArray(defaultValue) ? (defaultValue as string[]) : []}
              options={optionsOf(component, language)}
              disabled={readOnly}
              onChange={(values) => set(values.length > 0 ? values : undefined)}
            />
          )}
        </Entry>
      );
    default:
      return (
        <TextEntry
          label={label}
          value={text}
          rows={type === 'textarea' ? 2 : 1}
          placeholder={type === 'datetime' ? SHAPES[subtype] : undefined}
          commit={set}
        />
      );
  }
}
