/** What an operation that answers later is sent besides, where its answer goes, and how often it is tried. */
import { DeleteOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { ChoiceEntry, NumberEntry, TextEntry } from './controls';
import { readDuration, timeOf } from './duration';
import { useEdit } from './edit';
import { faultOf } from './expression';
import { useFault } from './faults';
import type { GroupProps } from './group';
import { processOf, textOf } from './model';
import { fieldNames } from './names';
import { given, givenBy } from './parameters';
import { type Operation, resultSet, resultsOf } from './results';

const VALUE = 'value.';
const NAME = /^[A-Za-z_][\w-]{0,39}$/;
const ANSWERED = /^[^\s]{1,80}$/;
const VARIABLE = /^[A-Za-z]\w{0,59}$/;
const [USUAL, MOST] = [5, 10];
const USUAL_PAUSE = 10;
const DAY = 86_400;

function secondsOf(duration: string): number | undefined {
  const found = readDuration(duration);
  return found && found.days * DAY + timeOf(found);
}

interface AnswerProps extends GroupProps {
  operation: Operation;
}

export function Answer(props: AnswerProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const { of, operation } = props;
  const [attempts, pause] = [textOf(of, 'xw:attempts'), textOf(of, 'xw:pause')];
  return (
    <>
      {operation.isOpen && <Sent of={of} />}
      <Results {...props} />
      <NumberEntry
        key={attempts}
        label={t('panel.answer.attempts')}
        hint={t('panel.answer.attemptsHint', { n: USUAL })}
        value={attempts ? Number(attempts) : undefined}
        min={1}
        max={MOST}
        whole
        commit={(n) => edit({ of, set: { 'xw:attempts': n === undefined ? undefined : String(n) } })}
      />
      <NumberEntry
        key={`pause ${pause}`}
        label={t('panel.answer.pause')}
        hint={t('panel.answer.pauseHint', { n: USUAL_PAUSE })}
        value={secondsOf(pause)}
        min={1}
        max={DAY}
        whole
        commit={(n) => edit({ of, set: { 'xw:pause': n === undefined ? undefined : `PT${n}S` } })}
      />
    </>
  );
}

/** Values of any name, each an expression. */
function Sent({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const say = useFault();
  const sent = [...givenBy(of)].filter(([name]) => name.startsWith(VALUE));
  const check = (text: string) => {
    const fault = faultOf(text);
    return fault && say(fault);
  };
  const add = (name: string) => {
    if (name) edit(...given(edit, of, `${VALUE}${name}`, `\${form.${name}}`));
  };
  return (
    <section aria-label={t('panel.answer.sent')}>
      <h3>{t('panel.answer.sent')}</h3>
      {sent.map(([name, text]) => (
        <Row key={name} name={name.slice(VALUE.length)} remove={() => edit(...given(edit, of, name, ''))}>
          <TextEntry
            label={name.slice(VALUE.length)}
            value={text}
            code
            check={check}
            commit={(next) => edit(...given(edit, of, name, next))}
          />
        </Row>
      ))}
      <TextEntry
        key={sent.length}
        label={t('panel.answer.addSent')}
        value=""
        code
        check={(name) => (name && !NAME.test(name) ? t('panel.answer.badName') : undefined)}
        commit={add}
      />
    </section>
  );
}

/** Each value of the answer, and the form field or process variable that it sets. */
function Results({ of, operation }: AnswerProps) {
  const { t } = useTranslation();
  const { language } = useDesigner();
  const edit = useEdit();
  const taken = resultsOf(of);
  const known = operation.results.map(({ name, label }) => ({ value: name, label: `${label} (${name})` }));
  const fields = fieldNames(processOf(of), language).map(({ name, label }) => ({
    value: name,
    label,
    hint: name,
  }));
  const left = known.filter(({ value }) => !taken.some(({ name }) => name === value));
  const set = (name: string, to: string) => edit(...resultSet(edit, of, name, to));
  const take = (name: string | undefined) => {
    if (name) set(name, fields[0]?.value ?? name.replace(/\W/g, '_'));
  };
  return (
    <section aria-label={t('panel.answer.results')}>
      <h3>{t('panel.answer.results')}</h3>
      {taken.map(({ name, to }) => {
        const label = known.find(({ value }) => value === name)?.label ?? name;
        return (
          <Row key={name} name={label} remove={() => set(name, '')}>
            <ChoiceEntry
              label={t('panel.answer.to', { name: label })}
              value={fields.some(({ value }) => value === to) ? to : undefined}
              options={fields}
              commit={(next) => next && set(name, next)}
            />
            <TextEntry
              label={t('panel.answer.variable', { name: label })}
              value={fields.some(({ value }) => value === to) ? '' : to}
              code
              hint={t('panel.answer.variableHint')}
              check={(text) => (text && !VARIABLE.test(text) ? t('panel.answer.badName') : undefined)}
              commit={(text) => text && set(name, text)}
            />
          </Row>
        );
      })}
      {left.length > 0 && (
        <ChoiceEntry label={t('panel.answer.take')} value={undefined} options={left} commit={take} />
      )}
      {operation.isOpen && (
        <TextEntry
          key={taken.length}
          label={t('panel.answer.takeOther')}
          hint={t('panel.answer.takeOtherHint')}
          value=""
          code
          check={(name) => (name && !ANSWERED.test(name) ? t('panel.answer.badName') : undefined)}
          commit={take}
        />
      )}
    </section>
  );
}

function Row({ name, remove, children }: { name: string; remove: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  return (
    <div className="x-parameter">
      <div>{children}</div>
      {!readOnly && (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('panel.advanced.remove', { name })}
          onClick={remove}
        />
      )}
    </div>
  );
}
