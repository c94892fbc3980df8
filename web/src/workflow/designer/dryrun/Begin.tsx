/** Before the run: who starts, with what in the form or in the record. */
import { Alert, Button } from 'antd';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { SelectField } from '@/kit/fields';
import { RecordForm, SubmitBar, useRecordForm } from '@/kit/form';
import { DrawnFields } from '../../forms/DrawnFields';
import { initialOf, schemaOf, sentOf, type Values } from '../../forms/schema';
import { useDesigner } from '../context';
import { useNames } from './names';
import { PersonField } from './PersonField';
import { changedRecord, initialRecord, RecordFields } from './RecordFields';
import type { Answer, Start } from './run';

/** No field of a schema has such a key. */
const STARTER = '$starter';
const AT = '$at';

interface BeginProps {
  xml: string;
  entry: Answer;
  /** Of the record that the process is bound to. */
  names: readonly Wire<'ReadableRow'>[];
  begin: (start: Start) => Promise<void>;
}

export function Begin({ xml, entry, names, begin }: BeginProps) {
  const { t } = useTranslation();
  const schema = schemaOf(entry.startForm);
  const before = initialRecord(names, entry.record);
  const starts = entry.starts.map(({ node, name, words }) => ({
    value: node,
    label: [name || node, words].filter(Boolean).join(' · '),
  }));
  const handle = useRecordForm<Values>({
    initial: { ...initialOf(schema, {}), ...before, [AT]: starts[0]?.value },
    kept: true,
    submit: ({ [STARTER]: starter, [AT]: start, ...values }) => {
      const record = changedRecord(names, entry.record, values);
      return begin({
        xml,
        ...(starter ? { starterId: String(starter) } : {}),
        ...(starts.length > 1 ? { start: String(start) } : {}),
        // Who starts decides what the sample holds; only what was changed stands for itself.
        ...(names.length > 0 ? { record } : { values: sentOf(schema, values) }),
      });
    },
  });
  return (
    <div className="x-run-begin">
      <RecordForm handle={handle} note={t('dryrun.note')}>
        {starts.length > 1 && <SelectField name={AT} label={t('dryrun.startAt')} options={starts} required />}
        <PersonField name={STARTER} label={t('dryrun.starter')} placeholder={entry.starter?.name} />
        {schema && <DrawnFields schema={schema} known={{}} />}
        <RecordFields names={names} record={entry.record} texts={entry.recordTexts} />
      </RecordForm>
      <SubmitBar handle={handle} submitText={t('dryrun.begin')} />
    </div>
  );
}

/** Why the drawing does not run; each reason leads to its element. */
export function Refused({ problems }: { problems: readonly Wire<'ProblemRow'>[] }) {
  const { t } = useTranslation();
  const { select } = useDesigner();
  const nameOf = useNames();
  return (
    <Alert
      type="error"
      showIcon
      title={t('dryrun.refused', { count: problems.length })}
      description={
        <ul className="x-run-list">
          {problems.map(({ element, code, message }) => (
            <li key={`${element} ${code} ${message}`}>
              {element && (
                <Button type="link" size="small" onClick={() => select(element)}>
                  {nameOf(element)}
                </Button>
              )}
              {message}
            </li>
          ))}
        </ul>
      }
    />
  );
}
