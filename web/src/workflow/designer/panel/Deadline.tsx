/** When a timer falls due: after a while, at a moment, or as the business says; only what the engine can keep. */
import { useQuery } from '@tanstack/react-query';
import { Checkbox, DatePicker } from 'antd';
import dayjs from 'dayjs';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import { useDesigner } from '../context';
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

const KINDS = ['duration', 'date', 'cycle', 'due'] as const;
type Kind = (typeof KINDS)[number];
const PROPERTIES = { duration: 'timeDuration', date: 'timeDate', cycle: 'timeCycle' } as const;
const FIRST: Readonly<Record<Kind, string>> = { duration: 'P1D', date: '', cycle: 'R/P1D', due: '' };

const WORKING = 'working';
const TIMES = ['natural', WORKING] as const;

const CYCLE = /^R([1-9]\d{0,3})?\/(.+)$/;

function kindOf(timer: Business): Kind | undefined {
  if (textOf(timer, 'xw:due')) return 'due';
  if (partOf(timer, 'timeCycle')) return 'cycle';
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
  const working = textOf(timer, 'xw:time') === WORKING;
  const lasts = (name: string) => dues.some((one) => one.name === name && one.lasts);
  const mayCount = (next: Kind, body: string) => (next === 'due' ? lasts(body) : next !== 'date');
  const set = (next: Kind, body: string, counts = working) => {
    const expression = (name: Kind) =>
      name === next && body ? edit.make('bpmn:FormalExpression', timer, { body }) : undefined;
    edit({
      of: timer,
      set: {
        timeDuration: expression('duration'),
        timeDate: expression('date'),
        timeCycle: expression('cycle'),
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
  const offered = { duration: true, date: true, cycle: repeats, due: dues.length > 0 };
  const kinds = KINDS.filter((one) => offered[one] || one === kind);
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
        label={t('panel.deadline.kind')}
        value={kind}
        options={kinds.map((one) => ({ value: one, label: t(`panel.deadline.${one}`) }))}
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
      {kind === 'cycle' && <Cycle body={body} working={working} commit={(text) => set('cycle', text)} />}
      {kind === 'date' && <Moment body={body} commit={(text) => set('date', text)} />}
      <Interrupts of={of} label={t('panel.deadline.interrupts')} />
    </>
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

/** How often, and how long between: `R3/PT1H`, or `R/P1D` until the step is done. */
function Cycle({ body, working, commit }: LengthProps) {
  const { t } = useTranslation();
  const [, times = '', length = ''] = CYCLE.exec(body) ?? [];
  const may = (text: string) => mayRepeat(text) && (!working || mayBeWorking(text));
  if (!durationOf(length))
    return <Expression body={body} commit={commit} is={(text) => may(CYCLE.exec(text)?.[2] ?? '')} />;
  return (
    <>
      <Length body={length} working={working} commit={(text) => may(text) && commit(`R${times}/${text}`)} />
      <NumberEntry
        key={body}
        label={t('panel.deadline.times')}
        hint={t('panel.deadline.timesHint')}
        value={times ? Number(times) : undefined}
        min={1}
        max={9999}
        whole
        commit={(value) => commit(`R${value ?? ''}/${length}`)}
      />
    </>
  );
}

function Moment({ body, commit }: BodyProps) {
  const { t } = useTranslation();
  const { readOnly } = useDesigner();
  const moment = dayjs(body);
  if (body.includes('{') || !moment.isValid())
    return <Expression body={body} commit={commit} is={(text) => dayjs(text).isValid()} />;
  return (
    <Entry
      label={t('panel.deadline.moment')}
      hint={moment.isBefore(dayjs()) ? t('panel.deadline.past') : undefined}
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
