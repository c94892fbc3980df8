/** Rows that belong to a head, such as the lines of an order, to read. */
import type { NounField } from '@/api/noun';
import { useLanguage } from '@/i18n';
import { labelIn, shownName, shownText } from './nounText';
import './details.css';

type RowFields = NonNullable<NounField['rows']>;

/** The rows as a table to read. */
export function DetailRows({ rows, value }: { rows: RowFields; value: unknown }) {
  const language = useLanguage();
  const given = Array.isArray(value) ? (value as Readonly<Record<string, unknown>>[]) : [];
  const names = Object.keys(rows)
    .map((name) => shownName({ fields: rows }, name))
    .filter((name, index, all) => all.indexOf(name) === index && !UNREAD.has(rows[name]?.kind ?? ''));
  return (
    <div className="x-scroll">
      <table className="x-details-table">
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} className="x-details-cell">
                {labelIn(language, rows[name]?.label ?? [name, name])}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {given.map((row) => (
            <tr key={String(row.id)}>
              {names.map((name) => (
                <td key={name} className="x-details-cell">
                  {shownText(rows[name], row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const UNREAD: ReadonlySet<string> = new Set(['id', 'ids', 'version', 'json', 'list', 'images', 'files']);
