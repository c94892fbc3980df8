/** The values as they stand: of the forms, or of the record. */
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { Answer } from './run';

interface ValuesNowProps {
  answer: Answer;
  names: readonly Wire<'ReadableRow'>[];
}

function text(value: unknown, words: { yes: string; no: string }): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? words.yes : words.no;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

export function ValuesNow({ answer, names }: ValuesNowProps) {
  const { t } = useTranslation();
  const words = { yes: t('kit.yes'), no: t('kit.no') };
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
