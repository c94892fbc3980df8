/** The options of a choice: value and both names, in the order in which they are shown. */
import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useTranslation } from '@/i18n';
import type { Option } from '../../forms/schema';
import { TextEntry } from '../panel/controls';
import type { PartProps } from './tree';

const MOST = 200;

export function Options({ component, put }: PartProps) {
  const { t } = useTranslation();
  const options = component.values ?? [];
  const word = t('panel.form.option', { lng: 'en-US' });
  const isBegun = (labelEn = '') =>
    labelEn.startsWith(`${word} `) && /^\d+$/.test(labelEn.slice(word.length + 1));
  const set = (values: Option[]) => put({ ...component, values });
  const change = (index: number, part: Partial<Option>) =>
    set(options.map((one, at) => (at === index ? slim({ ...one, ...part }) : one)));
  const swap = (index: number, other: number) =>
    set(
      options.map((one, at) =>
        at === index ? (options[other] ?? one) : at === other ? (options[index] ?? one) : one,
      ),
    );
  const add = () => {
    const taken = new Set(options.map(({ value }) => value));
    let number = options.length + 1;
    while (taken.has(`option_${number}`)) number += 1;
    set([
      ...options,
      { value: `option_${number}`, label: `${t('panel.form.option')} ${options.length + 1}` },
    ]);
  };
  return (
    <section aria-label={t('panel.form.options')}>
      <h3>{t('panel.form.options')}</h3>
      {options.map((option, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an option is its place: its value is being changed
        <fieldset key={index} className="x-option">
          <legend className="x-sr">{t('panel.form.optionNumber', { n: index + 1 })}</legend>
          <TextEntry
            label={t('panel.form.optionLabel')}
            value={option.label}
            max={100}
            // The word with which it began would be wrong for what it has become.
            commit={(label) => change(index, isBegun(option.labelEn) ? { label, labelEn: '' } : { label })}
          />
          <TextEntry
            label={t('panel.form.optionLabelEn')}
            value={option.labelEn ?? ''}
            max={100}
            commit={(labelEn) => change(index, { labelEn })}
          />
          <TextEntry
            label={t('panel.form.optionValue')}
            value={option.value}
            code
            max={100}
            commit={(value) => change(index, { value })}
          />
          <div>
            <Button
              type="text"
              size="small"
              icon={<ArrowUpOutlined />}
              disabled={index === 0}
              aria-label={t('panel.form.optionUp', { n: index + 1 })}
              onClick={() => swap(index, index - 1)}
            />
            <Button
              type="text"
              size="small"
              icon={<ArrowDownOutlined />}
              disabled={index === options.length - 1}
              aria-label={t('panel.form.optionDown', { n: index + 1 })}
              onClick={() => swap(index, index + 1)}
            />
            <Button
              type="text"
              size="small"
              icon={<DeleteOutlined />}
              aria-label={t('panel.form.optionRemove', { n: index + 1 })}
              onClick={() => set(options.filter((_, at) => at !== index))}
            />
          </div>
        </fieldset>
      ))}
      <Button size="small" icon={<PlusOutlined />} disabled={options.length >= MOST} onClick={add}>
        {t('panel.form.addOption')}
      </Button>
    </section>
  );
}

function slim({ labelEn, ...option }: Option): Option {
  return labelEn ? { ...option, labelEn } : option;
}
