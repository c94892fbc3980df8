/** The values as they stand: of the forms, or of the record. */
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { SOURCES, type Texts } from '../../forms/schema';
import type { Answer } from './run';

interface ValuesNowProps {
  answer: Answer;
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

export function ValuesNow({ answer, names }: ValuesNowProps) {
  const { t } = useTranslation();
  const rowsOf = (count: number) => t('work.form.rows', { count });
  const words = { yes: t('kit.yes'), no: t('kit.no'), rows: rowsOf, texts: answer.formTexts };
  const labels = new Map(names.map(({ name, label }) => [name, label]));
  const options = new Map(names.map(({ name, options: all }) => [name, all]));
  const rows = Object.entries({ ...answer.form, ...answer.record });
  const say = (name: string, value: unknown) =>
    answer.recordTexts[name] ??
    options.get(name)?.find((option) => option.value === value)?.label ??
    text(value, words);
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
