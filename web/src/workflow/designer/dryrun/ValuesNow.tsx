/** The values as they stand: of the forms, or of the record. */
import type { Wire } from '@/api/wire';
import { useLanguage, useTranslation } from '@/i18n';
import { useShown } from '../../forms/ShownValue';
import { type InputComponent, textOf as labelOf, SOURCES, type Texts } from '../../forms/schema';
import type { Answer } from './run';

interface ValuesNowProps {
  answer: Answer;
  /** Of all forms that the run has shown. */
  fields: readonly InputComponent[];
  names: readonly Wire<'ReadableRow'>[];
}

interface Words {
  yes: string;
  no: string;
  rows: (count: number) => string;
  texts: Texts;
}

function text(value: unknown, words: Words): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  const called = Object.keys(SOURCES).map((type) => words.texts[`${type}:${value}`]);
  if (!Array.isArray(value)) return called.find(Boolean) ?? String(value);
  if (value.some((one) => typeof one === 'object')) return words.rows(value.length);
  return value.map((one) => words.texts[one] ?? one).join(', ');
}

export function ValuesNow({ answer, fields, names }: ValuesNowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const shown = useShown(answer.formTexts);
  const asked = new Map(fields.map((field) => [field.key, field]));
  const rowsOf = (count: number) => t('work.form.rows', { count });
  const words = { yes: t('kit.yes'), no: t('kit.no'), rows: rowsOf, texts: answer.formTexts };
  const labels = new Map([
    ...fields.map((field) => [field.key, labelOf(field, 'label', language)] as const),
    ...names.map(({ name, label }) => [name, label] as const),
  ]);
  const options = new Map(names.map(({ name, options: all }) => [name, all]));
  const rows = Object.entries({ ...answer.form, ...answer.record });
  const say = (name: string, value: unknown) => {
    const field = asked.get(name);
    // Files are names here, and not links.
    if (field && field.type !== 'filepicker') return shown(field, value) || '-';
    const said = options.get(name)?.find((option) => option.value === value)?.label;
    return answer.recordTexts[name] ?? said ?? text(value, words);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and nothing in it takes the focus
    <section className="x-run-values" tabIndex={0} aria-label={t('dryrun.values')}>
      <h2>{t('dryrun.values')}</h2>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{labels.get(name) ?? <code>{name}</code>}</dt>
            <dd>{say(name, value)}</dd>
          </div>
        ))}
      </dl>
      {rows.length === 0 && <p className="x-hint">{t('dryrun.noValues')}</p>}
    </section>
  );
}
