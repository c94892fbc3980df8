/** A value of a drawn form to read: words, pictures, files to save, rows as a table. */
import { useLanguage, useTranslation } from '@/i18n';
import { Files } from '@/kit/Files';
import { Photos } from '@/kit/Photos';
import { type Component, type InputComponent, inputsOf, shown, type Texts, textOf } from './schema';
import { FileNames, useTried } from './TriedFiles';
import '@/kit/details.css';

/** Says a value in words. */
export function useShown(texts: Texts): (component: InputComponent, value: unknown) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  const rows = (count: number) => t('work.form.rows', { count });
  const words = { yes: t('kit.yes'), no: t('kit.no'), gap: t('work.own.gap'), rows, texts };
  return (component, value) => shown(component, value, language, words);
}

interface ShownValueProps {
  component: InputComponent;
  value: unknown;
  /** What ids and links among the values are called. */
  texts: Texts;
}

export function ShownValue({ component, value, texts }: ShownValueProps) {
  const say = useShown(texts);
  const list = Array.isArray(value) ? value : [];
  if (component.type === 'filepicker' && list.length > 0) return <FilesOf {...{ component, list, texts }} />;
  if (component.type === 'xw-table' && list.length > 0)
    return <Rows component={component} rows={list} texts={texts} />;
  return <span className="x-text">{say(component, value) || '-'}</span>;
}

function FilesOf({
  component,
  list,
  texts,
}: {
  component: Component;
  list: readonly string[];
  texts: Texts;
}) {
  if (useTried()) return <FileNames names={list} />;
  if (component.accept === 'image/*') return <Photos links={list} />;
  return <Files files={list.map((link) => ({ link, name: texts[link] ?? link }))} />;
}

interface RowsProps {
  component: InputComponent;
  rows: readonly Readonly<Record<string, unknown>>[];
  texts: Texts;
}

function Rows({ component, rows, texts }: RowsProps) {
  const language = useLanguage();
  const say = useShown(texts);
  const columns = inputsOf({ components: component.components ?? [] });
  return (
    <div className="x-scroll">
      <table className="x-details-table">
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.key} className="x-details-cell">
                {textOf(column, 'label', language)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place: two may say the same
            <tr key={index}>
              {columns.map((column) => (
                <td key={column.key} className="x-details-cell">
                  {say(column, row[column.key]) || '-'}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
