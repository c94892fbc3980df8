/** The fields of a command's form, as the document describes its input. */
import { Form } from 'antd';
import type { ReactNode } from 'react';
import type { Fields } from '@/api/case';
import type { Both, NounField } from '@/api/noun';
import { useLanguage } from '@/i18n';
import { ExtraControls } from '@/kit/ExtraControls';
import { useExtras } from '@/kit/extras';
import { NounFieldControl } from '@/kit/nounFields';
import { labelIn } from '@/kit/nounText';
import { type Source, sourceOf, useArrived, useChoices } from '@/kit/references';
import { changeBy, useRequired } from '@/kit/required';
import type { CaseScreen, FieldChange, Given } from './screen';

/** Kinds that have no control. */
const NOT_TYPED = ['json', 'list'];

/** So many choices of so many letters stand in sight where one has to be taken. */
const MOST_BUTTONS = 6;
const MOST_LETTERS = 40;

/** Whether all choices fit side by side. */
function areFew(options: NounField['options'], word: (both: Both) => string): boolean {
  const letters = options?.map(([, zh, en]) => word([zh, en])).join('').length ?? 0;
  return options !== undefined && options.length <= MOST_BUTTONS && letters <= MOST_LETTERS;
}

/** The names of the fields that people fill in. */
export function namesOf(input: Fields): string[] {
  return Object.keys(input).filter((name) => {
    const { kind = 'json', ref, writable } = input[name] ?? {};
    return writable && !NOT_TYPED.includes(kind) && (ref !== undefined || (kind !== 'id' && kind !== 'ids'));
  });
}

/** What a form begins with, from a row that has the same names. */
export function valuesFrom(input: Fields, row: Given | null | undefined): Record<string, unknown> {
  if (!row) return {};
  return Object.fromEntries(namesOf(input).map((name) => [name, row[name] === '' ? undefined : row[name]]));
}

/** What is sent of a form: no fields of the screen's own, and nothing empty where the input knows no null. */
export function sentFrom(input: Fields, values: Given): Record<string, unknown> {
  const filled = Object.entries(values).filter(
    ([name, value]) => input[name] && value !== undefined && (value !== null || input[name].nullable),
  );
  return Object.fromEntries(filled);
}

interface CaseFieldsProps {
  /** Of the command, or of the start. */
  name: string;
  input: Fields;
  screen: CaseScreen;
  given: Given;
}

function changeOf(
  { name: command, screen, given }: CaseFieldsProps,
  name: string,
  values: Given,
): FieldChange {
  const differs = screen.fields?.[`${command}.${name}`] ?? screen.fields?.[name] ?? {};
  return typeof differs === 'function' ? differs(given, values) : differs;
}

/** Whether all that the fields offer has come: a field that came later would push the next from under the finger. */
export function useFieldsArrived(props: CaseFieldsProps): boolean {
  const about = { fields: props.input };
  const sources = namesOf(props.input).flatMap((name) => {
    const { words, unlessEmpty, source = sourceOf(about, name) } = changeOf(props, name, {});
    return (words || unlessEmpty) && source ? [source] : [];
  });
  const extras = useExtras(about);
  return useArrived(sources) && extras.arrived;
}

export function CaseFields(props: CaseFieldsProps) {
  const { input, given } = props;
  const language = useLanguage();
  const values: Given = Form.useWatch([], Form.useFormInstance()) ?? {};
  const about = { fields: input };
  const ruled = useRequired(props.screen.scenes?.[props.name]);
  return namesOf(input).map((name) => {
    const { control: Control, hidden, unlessEmpty, ...differs } = changeOf(props, name, values);
    const { hidden: hiddenByRule, max: _most, ...rule } = changeBy(ruled(name));
    if (hidden || hiddenByRule) return null;
    if (input[name]?.kind === 'extras') return <ExtraControls key={name} about={about} />;
    const rest = { ...differs, ...rule };
    const { label: both = [name, name], options, required } = input[name] ?? {};
    const few = required === true && areFew(options, (word) => labelIn(language, word));
    const label = labelIn(language, both);
    const source = rest.source ?? sourceOf(about, name);
    const field = Control ? (
      <Control
        key={name}
        name={name}
        label={label}
        required={required}
        {...rest}
        source={source}
        given={given}
      />
    ) : (
      <NounFieldControl
        key={name}
        noun={about}
        name={name}
        label={label}
        buttons={few}
        {...(few && { full: true })}
        {...rest}
        source={source}
      />
    );
    return unlessEmpty && source ? (
      <Offered key={name} source={source}>
        {field}
      </Offered>
    ) : (
      field
    );
  });
}

/** Shown where there is something to choose from. */
function Offered({ source, children }: { source: Source; children: ReactNode }) {
  return useChoices(source, '', []).choices.length > 0 ? children : null;
}
