/** One parameter of an operation: a control for its kind, or an expression in its place. */
import { DatePicker, Switch } from 'antd';
import dayjs from 'dayjs';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { useCatalogue, useKinds } from './catalogue';
import { ChoiceEntry, Entry, NumberEntry, TextEntry } from './controls';
import { durationOf, durationText, MOST } from './duration';
import { useFault } from './faults';
import { PeopleRules } from './PeopleRules';
import { isExpression, isOneExpression, type Parameter, wrongWith } from './parameters';

interface ParameterProps {
  parameter: Parameter;
  text: string;
  /** An empty text takes the parameter away. */
  commit: (text: string) => void;
}

/** The sentence of the gate for what is wrong with a text. */
function useWrong(parameter: Parameter): (text: string) => string | undefined {
  const { t } = useTranslation();
  const say = useFault();
  const { label, least, most, places } = parameter;
  return (text) => {
    const wrong = wrongWith(parameter, text);
    if (wrong === undefined) return undefined;
    if (typeof wrong !== 'string') return say(wrong);
    return t(`panel.parameter.${wrong}`, { label, least, most, places });
  };
}

export function ParameterEntry(props: ParameterProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const { parameter, text, commit } = props;
  const isWritten = parameter.kind === 'people' ? isOneExpression(text) : isExpression(text);
  const [chosen, choose] = useState<{ text: string; isExpression: boolean }>();
  // Which of the two counts here until the drawing says something else.
  const asExpression = chosen?.text === text ? chosen.isExpression : isWritten;
  // A text holds expressions among its words.
  if (parameter.kind === 'text') return <Words {...props} />;
  if (parameter.kind === 'credential') return <Credential {...props} />;
  return (
    <div className="x-parameter">
      <div>
        {asExpression ? (
          <Expression {...props} />
        ) : (
          <Constant {...props} text={isWritten ? '' : text} commit={commit} />
        )}
      </div>
      <button
        type="button"
        className="x-fx"
        title={t('panel.parameter.fx')}
        aria-label={t('panel.parameter.fxOf', { label: parameter.label })}
        aria-pressed={asExpression}
        disabled={readOnly}
        onClick={() => choose({ text, isExpression: !asExpression })}
      >
        fx
      </button>
    </div>
  );
}

function Words({ parameter, text, commit }: ParameterProps) {
  const wrong = useWrong(parameter);
  return (
    <TextEntry
      label={parameter.label}
      value={text}
      rows={parameter.isLong ? 2 : 1}
      hint={parameter.text}
      fault={wrong(text)}
      check={(next) => (next ? wrong(next) : undefined)}
      commit={commit}
    />
  );
}

/** One of the company's connection credentials, by its code. */
function Credential({ parameter, text, commit }: ParameterProps) {
  const wrong = useWrong(parameter);
  const known = useCatalogue()?.credentials ?? [];
  return (
    <ChoiceEntry
      label={parameter.label}
      hint={parameter.text}
      fault={wrong(text)}
      value={text || undefined}
      clearable={!parameter.isRequired}
      options={known.map(({ value, label }) => ({ value, label, hint: value }))}
      commit={(next) => commit(next ?? '')}
    />
  );
}

function Expression({ parameter, text, commit }: ParameterProps) {
  const { t } = useTranslation();
  const wrong = useWrong(parameter);
  return (
    <TextEntry
      label={parameter.label}
      value={text}
      code
      placeholder="${…}"
      hint={parameter.text || t('panel.parameter.fx')}
      fault={wrong(text)}
      check={(next) => (next ? wrong(next) : undefined)}
      commit={commit}
    />
  );
}

function Constant(props: ParameterProps): ReactNode {
  const { parameter, text, commit } = props;
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const wrong = useWrong(parameter);
  const common = { label: parameter.label, hint: parameter.text || undefined, fault: wrong(text) };
  switch (parameter.kind) {
    case 'number':
      return (
        <TextEntry
          {...common}
          value={text}
          check={(next) => (next ? wrong(next) : undefined)}
          commit={commit}
        />
      );
    case 'flag':
      return (
        <Entry {...common}>
          {(id, described) => (
            <Switch
              id={id}
              checked={text === 'true'}
              disabled={readOnly}
              aria-describedby={described}
              // What is left out is no, unless something has to be said.
              onChange={(next) => commit(next ? 'true' : parameter.isRequired ? 'false' : '')}
            />
          )}
        </Entry>
      );
    case 'choice':
      return (
        <ChoiceEntry
          {...common}
          value={text || undefined}
          clearable={!parameter.isRequired}
          options={parameter.options.map(({ value, label }) => ({ value: String(value), label }))}
          commit={(next) => commit(next ?? '')}
        />
      );
    case 'date':
      return (
        <Entry {...common}>
          {(id, described) => (
            <DatePicker
              id={id}
              value={text && dayjs(text).isValid() ? dayjs(text) : null}
              allowClear={!parameter.isRequired}
              disabled={readOnly}
              status={common.fault ? 'error' : undefined}
              aria-describedby={described}
              onChange={(next) => commit(next?.format('YYYY-MM-DD') ?? '')}
            />
          )}
        </Entry>
      );
    case 'duration':
      return <Length {...props} />;
    default:
      return (
        <section aria-label={parameter.label}>
          <h3>{parameter.label}</h3>
          <People text={text} empty={parameter.text || t('panel.people.nobody')} commit={commit} />
          {common.fault && (
            <p className="x-entry-fault" role="alert">
              {common.fault}
            </p>
          )}
        </section>
      );
  }
}

function People({ text, empty, commit }: { text: string; empty: string; commit: (text: string) => void }) {
  return <PeopleRules text={text} kinds={useKinds()} mayRead empty={empty} commit={commit} />;
}

const UNITS = ['days', 'hours', 'minutes'] as const;
const NONE = { months: 0, days: 0, hours: 0, minutes: 0 };

/** Days, hours and minutes: how long a month is, no operation is told. */
function Length({ parameter, text, commit }: ParameterProps) {
  const { t } = useTranslation();
  const wrong = useWrong(parameter);
  const duration = text ? durationOf(text) : NONE;
  const fault = wrong(text);
  if (!duration || duration.months) return <Expression parameter={parameter} text={text} commit={commit} />;
  return (
    <fieldset className="x-length">
      <legend>{parameter.label}</legend>
      <div className="x-parts">
        {UNITS.map((unit) => (
          <NumberEntry
            key={`${unit} ${text}`}
            label={t(`panel.deadline.${unit}`)}
            value={duration[unit] || undefined}
            min={0}
            max={MOST[unit]}
            whole
            commit={(value) => commit(durationText({ ...duration, [unit]: value ?? 0 }))}
          />
        ))}
      </div>
      {fault ? (
        <p className="x-entry-fault" role="alert">
          {fault}
        </p>
      ) : (
        parameter.text && <p className="x-hint">{parameter.text}</p>
      )}
    </fieldset>
  );
}
