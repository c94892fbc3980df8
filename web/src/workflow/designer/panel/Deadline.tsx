/** When a timer falls due: after a while, at a moment, or as the business says; only what the engine can keep. */
import { useQuery } from '@tanstack/react-query';
import { Checkbox, DatePicker } from 'antd';
import dayjs from 'dayjs';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
import { CalendarRule } from './CalendarRule';
import { FIRST_RULE, isRule, ruleText } from './calendarRule';
import { useCatalogue } from './catalogue';
import { ChoiceEntry, Entry, NumberEntry, TextEntry } from './controls';
import {
  asWorking,
  type Duration,
  durationOf,
  durationText,
  MOST,
  MOST_WORKING,
  mayBeWorking,
  mayRepeat,
  PARTS,
  readDuration,
  WORKING_PARTS,
} from './duration';
import { useEdit } from './edit';
import { faultOf } from './expression';
import { useFault } from './faults';
import type { GroupProps } from './group';
import { type Business, is, partOf, textOf, triggerOf } from './model';
import { NextMoments } from './NextMoments';
import { PeopleRules } from './PeopleRules';

const KINDS = ['duration', 'date', 'cycle', 'rule', 'due'] as const;
type Kind = (typeof KINDS)[number];
const PROPERTIES = {
  duration: 'timeDuration',
  date: 'timeDate',
  cycle: 'timeCycle',
  rule: 'timeCycle',
} as const;
const FIRST: Readonly<Record<Kind, string>> = {
  duration: 'P1D',
  date: '',
  cycle: 'R/P1D',
  rule: ruleText(FIRST_RULE, ''),
  due: '',
};

const WORKING = 'working';
const TIMES = ['natural', WORKING] as const;

const CYCLE = /^R([1-9]\d{0,3})?\/(.+)$/;
/** With a moment of its own, from which it counts. */
const ANCHORED = /^R(?:[1-9]\d{0,3})?\/([^/]+)\/([^/]+)$/;

function kindOf(timer: Business): Kind | undefined {
  if (textOf(timer, 'xw:due')) return 'due';
  const cycle = partOf(timer, 'timeCycle');
  if (cycle) return isRule(textOf(cycle, 'body')) ? 'rule' : 'cycle';
  if (partOf(timer, 'timeDuration')) return 'duration';
  return partOf(timer, 'timeDate') ? 'date' : undefined;
}

export function Deadline({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  const dues = useCatalogue()?.dueFunctions ?? [];
  const timer = triggerOf(of, 'bpmn:TimerEventDefinition');
  if (!timer) return null;
  const kind = kindOf(timer);
  const isStart = is(of, 'bpmn:StartEvent');
  const working = textOf(timer, 'xw:time') === WORKING;
  const lasts = (name: string) => dues.some((one) => one.name === name && one.lasts);
  // A calendar rule, and a start, say days of the calendar.
  const mayCount = (next: Kind, body: string) =>
    next === 'due' ? lasts(body) : !isStart && next !== 'date' && next !== 'rule';
  const set = (next: Kind, body: string, counts = working) => {
    const expression = (...names: readonly Kind[]) =>
      names.includes(next) && body ? edit.make('bpmn:FormalExpression', timer, { body }) : undefined;
    edit({
      of: timer,
      set: {
        timeDuration: expression('duration'),
        timeDate: expression('date'),
        timeCycle: expression('cycle', 'rule'),
        'xw:due': next === 'due' ? body : undefined,
        'xw:time': counts && mayCount(next, body) ? WORKING : undefined,
      },
    });
  };
  const first = (next: Kind) => {
    if (next === 'date') return dayjs().add(1, 'day').startOf('hour').format();
    return next === 'due' ? (dues[0]?.name ?? '') : FIRST[next];
  };
  // Only what breaks nothing off can come again and again.
  const repeats = is(of, 'bpmn:BoundaryEvent') && of.get('cancelActivity') === false;
  const offered = {
    duration: !isStart,
    date: true,
    cycle: repeats || isStart,
    rule: repeats || isStart || is(of, 'bpmn:IntermediateCatchEvent'),
    due: !isStart && dues.length > 0,
  };
  const kinds = KINDS.filter((one) => offered[one] || one === kind);
  const labels = isStart ? { ...LABELS, ...START_LABELS } : LABELS;
  const body =
    kind === 'due' ? textOf(timer, 'xw:due') : kind ? textOf(partOf(timer, PROPERTIES[kind]), 'body') : '';
  const count = (counts: boolean) => {
    if (!kind) return;
    const [, times = '', length = ''] = CYCLE.exec(body) ?? [];
    // What nobody can count in working time does not stay when one chooses that; expressions are checked when they run.
    if (!counts || kind === 'due' || body.includes('{')) set(kind, body, counts);
    else set(kind, kind === 'cycle' ? `R${times}/${asWorking(length)}` : asWorking(body), true);
  };
  return (
    <>
      <ChoiceEntry
        label={t(isStart ? 'panel.deadline.startKind' : 'panel.deadline.kind')}
        value={kind}
        options={kinds.map((one) => ({ value: one, label: t(labels[one]) }))}
        commit={(next) => next && set(next as Kind, first(next as Kind))}
      />
      {kind === 'due' && (
        <ChoiceEntry
          label={t('panel.deadline.due')}
          value={body}
          options={dues.map(({ name, label, text }) => ({ value: name, label, hint: text }))}
          hint={dues.find(({ name }) => name === body)?.text}
          commit={(name) => name && set('due', name)}
        />
      )}
      {kind && (mayCount(kind, body) || working) && (
        <ChoiceEntry
          label={t('panel.deadline.time')}
          value={working ? WORKING : 'natural'}
          options={TIMES.map((one) => ({ value: one, label: t(`panel.deadline.${one}`) }))}
          hint={working ? t('panel.deadline.workingHint') : undefined}
          commit={(next) => next && count(next === WORKING)}
        />
      )}
      {kind === 'duration' && (
        <Length body={body} working={working} commit={(text) => set('duration', text)} />
      )}
      {kind === 'cycle' && (
        <Cycle body={body} working={working} isStart={isStart} commit={(text) => set('cycle', text)} />
      )}
      {kind === 'rule' && <CalendarRule body={body} commit={(text) => set('rule', text)} />}
      {kind === 'date' && <Moment body={body} isStart={isStart} commit={(text) => set('date', text)} />}
      {(kind === 'rule' || (isStart && kind && kind !== 'due')) && (
        <NextMoments timeKind={kind === 'rule' ? 'cycle' : kind} text={body} isStart={isStart} />
      )}
      {isStart && <StartedBy of={of} />}
      <Interrupts of={of} label={t('panel.deadline.interrupts')} />
    </>
  );
}

const LABELS = {
  duration: 'panel.deadline.duration',
  date: 'panel.deadline.date',
  cycle: 'panel.deadline.cycle',
  rule: 'panel.deadline.rule',
  due: 'panel.deadline.due',
} as const;
const START_LABELS = { duration: 'panel.deadline.afterDeployment' } as const;

/** Who is the starter of what starts by itself. */
function StartedBy({ of }: GroupProps) {
  const { t } = useTranslation();
  const edit = useEdit();
  return (
    <section aria-label={t('panel.deadline.starter')}>
      <h3>{t('panel.deadline.starter')}</h3>
      <PeopleRules
        text={textOf(of, 'xw:starter')}
        kinds={['user', 'role']}
        mayRead={false}
        most={1}
        empty={t('panel.deadline.starterHint')}
        commit={(text) => edit({ of, set: { 'xw:starter': text || undefined } })}
      />
    </section>
  );
}

interface BodyProps {
  body: string;
  commit: (body: string) => void;
}

interface LengthProps extends BodyProps {
  /** Days are working days, hours working hours. */
  working: boolean;
}

/** When it would fall due, were it reached now: the server knows the company's calendar. */
function Preview({ text, working }: { text: string; working: boolean }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ['flow', 'due', text, working],
    queryFn: ({ signal }) =>
      api.get('/blade-flow/model/due-preview', { text, time: working ? WORKING : '' }, signal),
    staleTime: 10_000,
  });
  if (error) return <p className="x-entry-fault">{error.message}</p>;
  return <p className="x-hint">{data && t('panel.deadline.preview', { time: data.dueTime.slice(0, 16) })}</p>;
}

function Expression({ body, commit, is: isKind }: BodyProps & { is: (text: string) => boolean }) {
  const { t } = useTranslation();
  const say = useFault();
  const check = (text: string) => {
    if (!text.includes('{')) return isKind(text) ? undefined : t('panel.deadline.bad');
    const fault = faultOf(text);
    return fault && say(fault);
  };
  return (
    <TextEntry label={t('panel.condition.expression')} value={body} code check={check} commit={commit} />
  );
}

function Length({ body, working, commit }: LengthProps) {
  const { t } = useTranslation();
  const duration = durationOf(body);
  const may = (text: string) => (working ? mayBeWorking(text) : Boolean(readDuration(text)));
  if (!duration || (working && duration.months > 0))
    return <Expression body={body} commit={commit} is={may} />;
  const change = (part: keyof Duration, value: number) => {
    const next = durationText({ ...duration, [part]: value });
    // Nothing at all is no deadline, and neither is more than a timer can count: what stood there stays.
    if (next && may(next)) commit(next);
  };
  return (
    <>
      <div className="x-parts">
        {(working ? WORKING_PARTS : PARTS).map((part) => (
          <NumberEntry
            key={`${part} ${body}`}
            label={t(working && part === 'days' ? 'panel.deadline.workingDays' : `panel.deadline.${part}`)}
            value={duration[part]}
            min={0}
            max={(working ? MOST_WORKING : MOST)[part]}
            whole
            commit={(value) => change(part, value ?? 0)}
          />
        ))}
      </div>
      <Preview text={body} working={working} />
    </>
  );
}

function repeats(text: string): boolean {
  const [, from = '', length = ''] = ANCHORED.exec(text) ?? [];
  return from ? dayjs(from).isValid() && mayRepeat(length) : mayRepeat(CYCLE.exec(text)?.[2] ?? '');
}

/** How often, and how long between: `R3/PT1H`, or `R/P1D` until the step is done. */
function Cycle({ body, working, isStart, commit }: LengthProps & { isStart: boolean }) {
  const { t } = useTranslation();
  const [, times = '', length = ''] = CYCLE.exec(body) ?? [];
  const may = (text: string) => mayRepeat(text) && (!working || mayBeWorking(text));
  const repeatsSo = (text: string) => (working ? may(CYCLE.exec(text)?.[2] ?? '') : repeats(text));
  if (!durationOf(length)) return <Expression body={body} commit={commit} is={repeatsSo} />;
  return (
    <>
      <Length body={length} working={working} commit={(text) => may(text) && commit(`R${times}/${text}`)} />
      <NumberEntry
        key={body}
        label={t('panel.deadline.times')}
        hint={t(isStart ? 'panel.deadline.timesHintStart' : 'panel.deadline.timesHint')}
        value={times ? Number(times) : undefined}
        min={1}
        max={9999}
        whole
        commit={(value) => commit(`R${value ?? ''}/${length}`)}
      />
    </>
  );
}

function Moment({ body, commit, isStart }: BodyProps & { isStart: boolean }) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const moment = dayjs(body);
  if (body.includes('{') || !moment.isValid())
    return <Expression body={body} commit={commit} is={(text) => dayjs(text).isValid()} />;
  return (
    <Entry
      label={t(isStart ? 'panel.deadline.startMoment' : 'panel.deadline.moment')}
      hint={!isStart && moment.isBefore(dayjs()) ? t('panel.deadline.past') : undefined}
    >
      {(id, described) => (
        <DatePicker
          id={id}
          value={moment}
          showTime={{ format: 'HH:mm' }}
          format="YYYY-MM-DD HH:mm"
          allowClear={false}
          disabled={readOnly}
          aria-describedby={described}
          onChange={(next) => next && commit(next.format())}
        />
      )}
    </Entry>
  );
}

/** Of an event at the border of a step: whether the step ends with it. */
export function Interrupts({ of, label }: GroupProps & { label: string }) {
  const { readOnly } = useDesigner();
  const edit = useEdit();
  if (!is(of, 'bpmn:BoundaryEvent')) return null;
  return (
    <Checkbox
      checked={of.get('cancelActivity') !== false}
      disabled={readOnly}
      onChange={(event) => edit({ of, set: { cancelActivity: event.target.checked } })}
    >
      {label}
    </Checkbox>
  );
}
