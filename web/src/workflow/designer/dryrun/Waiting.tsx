/** What waits: steps that somebody completes, timers that one may let fire, messages that one may send. */
import { Button, Tag } from 'antd';
import { useRef, useState } from 'react';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { SelectField, TextField } from '@/kit/fields';
import { RecordForm, useRecordForm } from '@/kit/form';
import { ErrorLine } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { DrawnFields } from '../../forms/DrawnFields';
import { initialOf, schemaOf, sentOf, type Values } from '../../forms/schema';
import { useDesigner } from '../context';
import { useNames } from './names';
import { changedRecord, initialRecord, RecordFields } from './RecordFields';
import type { Act, Answer, Open } from './run';

/** No field of a schema has such a key. */
const ACTOR = '$actor';
/** People named in a line. */
const SHOWN = 5;

interface WaitingProps {
  answer: Answer;
  names: readonly Wire<'ReadableRow'>[];
  act: (act: Act) => Promise<void>;
}

export function Waiting({ answer, names, act }: WaitingProps) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<string>();
  const keyOf = ({ node, round, seat }: Open) => `${node} ${round} ${seat}`;
  // With one step there is nothing to choose.
  const [only, ...others] = answer.open;
  const current = others.length === 0 && only ? keyOf(only) : chosen;
  return (
    <section className="x-run-waiting" aria-label={t('dryrun.waiting')}>
      <h2>{t('dryrun.waiting')}</h2>
      {answer.standing !== 'running' && <p>{t(`dryrun.standing.${answer.standing}`)}</p>}
      {answer.open.map((open) => (
        <OpenStep
          key={keyOf(open)}
          open={open}
          answer={answer}
          names={names}
          isCurrent={keyOf(open) === current}
          choose={() => choose(keyOf(open))}
          act={act}
        />
      ))}
      {answer.timers.map((timer) => (
        <TimerRow key={timer.node} timer={timer} act={act} />
      ))}
      {answer.messages.map((message) => (
        <MessageRow key={message.name} message={message} answer={answer} act={act} />
      ))}
      {answer.calls.map((call) => (
        <CallRow key={call.node} call={call} act={act} />
      ))}
    </section>
  );
}

interface OpenStepProps extends WaitingProps {
  open: Open;
  isCurrent: boolean;
  choose: () => void;
}

function OpenStep({ open, answer, names, isCurrent, choose, act }: OpenStepProps) {
  const { t } = useTranslation();
  const { select } = useDesigner();
  const nameOf = useNames();
  return (
    <article className="x-run-open">
      <div className="x-run-head">
        <Button type="link" size="small" onClick={() => select(open.node)}>
          {nameOf(open.node)}
        </Button>
        {open.round > 1 && <Tag>{t('dryrun.round', { n: open.round })}</Tag>}
        {!isCurrent && (
          <Button size="small" onClick={choose}>
            {t('dryrun.handle')}
          </Button>
        )}
      </div>
      <Recipients recipients={open.recipients} />
      {isCurrent && <StepForm open={open} answer={answer} names={names} act={act} />}
    </article>
  );
}

/** Who would get it, and why. */
function Recipients({ recipients: { people, total, reason } }: { recipients: Wire<'Recipients'> }) {
  const { t } = useTranslation();
  const names = people.slice(0, SHOWN).map(({ name }) => name);
  const rest = total - names.length;
  return (
    <p className="x-hint">
      {reason}
      {names[0] &&
        !reason.includes(names[0]) &&
        ` (${names.join(t('work.own.gap'))}${rest > 0 ? t('dryrun.more', { n: rest }) : ''})`}
    </p>
  );
}

function StepForm({ open, answer, names, act }: Omit<OpenStepProps, 'isCurrent' | 'choose'>) {
  const { t } = useTranslation();
  const outcome = useRef<string>('');
  const schema = schemaOf(open.form);
  const handle = useRecordForm<Values>({
    initial: { ...initialOf(schema, answer.form, answer.formTexts), ...initialRecord(names, answer.record) },
    kept: true,
    submit: ({ [ACTOR]: actor, ...values }) =>
      act({
        node: open.node,
        round: open.round,
        ...(open.seat ? { seat: open.seat } : {}),
        outcome: outcome.current,
        values: names.length > 0 ? changedRecord(names, answer.record, values) : sentOf(schema, values),
        ...(actor ? { userId: String(actor) } : {}),
      }),
  });
  const take = (chosen: Wire<'DryOutcome'>) => {
    outcome.current = chosen.key;
    // Who says no need not fill in what a yes would need.
    if (chosen.isNegative) handle.action.run(handle.form.getFieldsValue());
    else handle.form.submit();
  };
  return (
    <>
      <RecordForm handle={handle} narrow>
        {schema && <DrawnFields schema={schema} known={answer.form} texts={answer.formTexts} />}
        {names.length > 0 && (
          <details>
            <summary>{t('dryrun.record')}</summary>
            <RecordFields names={names} record={answer.record} texts={answer.recordTexts} />
          </details>
        )}
        {!open.recipients.isHeld && open.recipients.people.length > 1 && (
          <SelectField
            name={ACTOR}
            label={t('dryrun.by')}
            placeholder={t('dryrun.anybody')}
            options={open.recipients.people.map(({ id, name, deptName }) => ({
              value: id,
              label: deptName ? `${name} · ${deptName}` : name,
            }))}
          />
        )}
      </RecordForm>
      {handle.told ? <ErrorLine error={handle.told} /> : null}
      <div className="x-run-acts">
        {open.outcomes.map((one) => (
          <Button
            key={one.key}
            type={one.isPositive ? 'primary' : 'default'}
            danger={one.isNegative}
            loading={handle.action.busy && outcome.current === one.key}
            title={one.isEnd ? t('dryrun.ends') : undefined}
            onClick={() => take(one)}
          >
            {one.label}
          </Button>
        ))}
      </div>
    </>
  );
}

function TimerRow({ timer, act }: { timer: Wire<'DryTimer'>; act: (act: Act) => Promise<void> }) {
  const { t } = useTranslation();
  const nameOf = useNames();
  const due = timer.dueTime || timer.dueLabel;
  const name = nameOf(timer.node);
  return (
    <Row
      title={due ? t('dryrun.timerDue', { name, due }) : t('dryrun.timer', { name })}
      word={t('dryrun.fire')}
      act={() => act({ timer: timer.node })}
    />
  );
}

interface MessageProps {
  message: Wire<'DryMessage'>;
  answer: Answer;
  act: (act: Act) => Promise<void>;
}

/** A message with the fields that it may set. */
function MessageRow({ message: { name, form }, answer, act }: MessageProps) {
  const { t } = useTranslation();
  const schema = schemaOf(form);
  const handle = useRecordForm<Values>({
    initial: initialOf(schema, answer.form, answer.formTexts),
    kept: true,
    submit: (values) => act({ message: name, values: sentOf(schema, values) }),
  });
  const title = t('dryrun.message', { name });
  if (!schema || schema.components.length === 0)
    return <Row title={title} word={t('dryrun.send')} act={() => act({ message: name })} />;
  return (
    <article className="x-run-open">
      <span>{title}</span>
      <RecordForm handle={handle} narrow>
        <DrawnFields schema={schema} known={answer.form} texts={answer.formTexts} />
      </RecordForm>
      {handle.told ? <ErrorLine error={handle.told} /> : null}
      <div className="x-run-acts">
        <Button
          size="small"
          loading={handle.action.busy}
          aria-label={`${t('dryrun.send')}: ${title}`}
          onClick={() => handle.form.submit()}
        >
          {t('dryrun.send')}
        </Button>
      </div>
    </article>
  );
}

/** What somebody types of an answer: a number, a text, yes or no, or nothing. */
function typedOf(text: unknown): unknown {
  const said = String(text ?? '').trim();
  if (said === '') return null;
  if (said === 'true' || said === 'false') return said === 'true';
  return /^-?\d{1,15}(?:\.\d{1,9})?$/.test(said) ? Number(said) : said;
}

/** What an operation would answer: values, one of its errors, or nothing at all. */
function CallRow({ call, act }: { call: Wire<'DryCall'>; act: (act: Act) => Promise<void> }) {
  const { t } = useTranslation();
  const nameOf = useNames();
  const { node, label, results, errors } = call;
  const handle = useRecordForm<Values>({
    initial: {},
    kept: true,
    submit: (values) =>
      act({
        call: node,
        values: Object.fromEntries(results.map(({ name }, place) => [name, typedOf(values[`r${place}`])])),
      }),
  });
  const title = t('dryrun.call', { name: nameOf(node), operation: label });
  return (
    <article className="x-run-open">
      <span>{title}</span>
      <RecordForm handle={handle} narrow>
        {results.map(({ name, label: word, to }, place) => (
          <TextField key={name} name={`r${place}`} label={`${word} → ${to}`} />
        ))}
      </RecordForm>
      {handle.told ? <ErrorLine error={handle.told} /> : null}
      <div className="x-run-acts">
        <Button
          size="small"
          type="primary"
          loading={handle.action.busy}
          aria-label={`${t('dryrun.answer')}: ${title}`}
          onClick={() => handle.form.submit()}
        >
          {t('dryrun.answer')}
        </Button>
      </div>
      {errors.map(({ code, label: word }) => (
        <Row
          key={code}
          title={t('dryrun.error', { name: word })}
          word={t('dryrun.fail')}
          act={() => act({ call: node, error: code })}
        />
      ))}
      <Row
        title={t('dryrun.noAnswer')}
        word={t('dryrun.fail')}
        act={() => act({ call: node, fails: true })}
      />
    </article>
  );
}

/** Something that happens at a click. */
function Row({ title, word, act }: { title: string; word: string; act: () => Promise<void> }) {
  const { run, busy, error } = useAction({ run: act });
  return (
    <div className="x-run-row">
      <span>{title}</span>
      <Button size="small" loading={busy} aria-label={`${word}: ${title}`} onClick={() => run()}>
        {word}
      </Button>
      {error ? <ErrorLine error={error} /> : null}
    </div>
  );
}
