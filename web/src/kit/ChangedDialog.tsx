/** Somebody else has saved the row first: shows what they changed beside what is entered here, to choose field by field. */
import { Radio } from 'antd';
import { useState } from 'react';
import type { Noun } from '@/api/noun';
import { useLanguage, useTranslation } from '@/i18n';
import { labelIn, shownName, shownText } from './nounText';
import { Modal } from './overlays';

/** A row's or a form's values by the names of its fields. */
export type Values = Record<string, unknown>;

/** What the server says of a refused change (`data.changed`). */
export interface Change {
  userName: string;
  time: string;
  /** The row as it is now. */
  row: Values;
}

interface ChangedDialogProps {
  noun: Noun;
  label: (name: string) => string;
  change: Change;
  /** The form's values: as they were read, as the other person saved them, and as they are entered here. */
  read: Values;
  theirs: Values;
  mine: Values;
  /** The row as it was read, with the names of what its fields refer to. */
  before: Values;
  /** Takes these values of the other person into the form, and goes on from the row as it is now. */
  onMerge: (taken: Values) => void;
  onClose: () => void;
}

/** Links to files are signed anew each time: only the file counts. */
const comparable = (value: unknown) => JSON.stringify(value ?? '').replace(/\?[^"]*/g, '');
const differs = (one: unknown, other: unknown) => comparable(one) !== comparable(other);

/** The fields that the other person changed to something else than what is entered here. */
export function changedFields(read: Values, theirs: Values, mine: Values): string[] {
  return Object.keys(theirs).filter(
    (name) => differs(theirs[name], read[name]) && differs(theirs[name], mine[name]),
  );
}

export function ChangedDialog(props: ChangedDialogProps) {
  const { noun, label, change, read, theirs, mine, before, onMerge, onClose } = props;
  const { t } = useTranslation();
  const language = useLanguage();
  const names = changedFields(read, theirs, mine);
  // What was not touched here follows the other person; what both have changed stays as it is entered.
  const [taken, setTaken] = useState<ReadonlySet<string>>(
    () => new Set(names.filter((name) => !differs(mine[name], read[name]))),
  );
  const text = (name: string, value: unknown, row: Values) => {
    const named = shownName(noun, name);
    const option = noun.fields[name]?.options?.find(([key]) => key === value);
    if (named === name && !option) return shownText(noun.fields[name], value);
    if (named !== name && !differs(value, row[name])) return shownText(noun.fields[named], row[named]);
    return option ? labelIn(language, [option[1], option[2]]) : t('kit.changed.entered');
  };
  const take = (name: string, isTaken: boolean) =>
    setTaken((old) => new Set(isTaken ? [...old, name] : [...old].filter((each) => each !== name)));

  return (
    <Modal
      open
      centered
      width={640}
      title={t('kit.changed.title', { name: change.userName, time: change.time })}
      okText={t('kit.changed.merge')}
      cancelText={t('kit.form.stay')}
      onOk={() => onMerge(Object.fromEntries([...taken].map((name) => [name, theirs[name]])))}
      onCancel={onClose}
    >
      <p>{t(names.length > 0 ? 'kit.changed.hint' : 'kit.changed.none')}</p>
      {names.map((name) => (
        <fieldset key={name} className="x-changed">
          <legend>{label(name)}</legend>
          <Radio.Group
            vertical
            value={taken.has(name)}
            onChange={(event) => take(name, event.target.value as boolean)}
            options={[
              { value: false, label: t('kit.changed.mine', { value: text(name, mine[name], before) }) },
              {
                value: true,
                label: t('kit.changed.theirs', { value: text(name, theirs[name], change.row) }),
              },
            ]}
          />
        </fieldset>
      ))}
    </Modal>
  );
}
